#pragma once
// Config: everything the library reads from the environment, read once, typed.
//
// hk_context_create() calls read_config() once and its options then overwrite fields; nothing else in the project reads
// the environment. The variables, their types and defaults stand in one table (environment_table.cpp) that
// docs/ENVIRONMENT.md repeats; a test compares the two.

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/log.h"
#include "base/status.h"

namespace hk::base {

// Which kernel serves a problem: HK_SPECIALIZE.
enum class Specialize { automatic, exact, family };

struct Config {
  std::string device;                            // HK_DEVICE; empty = first device of the runtime
  std::string hip_library;                       // HK_HIP_LIBRARY
  std::string cache_folder;                      // HK_CACHE_DIR
  Specialize specialize = Specialize::automatic; // HK_SPECIALIZE
  std::uint32_t jit_exact_max = 16;              // HK_JIT_EXACT_MAX: exact kernels per family
  bool jit_in_process = false;                   // HK_JIT_IN_PROCESS
  std::string compile_worker;                    // HK_COMPILE_WORKER
  std::uint32_t compile_timeout_ms = 60000;      // HK_COMPILE_TIMEOUT_MS
  std::string hiprtc_library;                    // HK_HIPRTC_LIBRARY
  LogLevel log_level = LogLevel::off;            // HK_LOG_LEVEL; info when only HK_LOG_FILE is set
  std::string log_file;                          // HK_LOG_FILE; empty = stderr
  std::uint64_t simulator_schedule = 0;          // HK_SIM_SCHEDULE: seed
  std::string simulator_devices;                 // HK_SIM_DEVICES
  std::string simulator_library;                 // HK_SIM_LIBRARY
  std::string user_cache_home;                   // XDG_CACHE_HOME
  std::string home;                              // HOME
  std::string temporary_folder;                  // TMPDIR
  std::string library_path;                      // LD_LIBRARY_PATH
};

// Returns the value of a variable, or null if it is unset.
using EnvironmentGetter = std::function<const char*(const char* name)>;

// secure_getenv: a setuid program ignores the environment of its caller.
const char* process_environment(const char* name);

// An empty value counts as unset. A malformed one is INVALID_ARGUMENT naming the variable, the value and what is
// accepted.
Result<Config> read_config(const EnvironmentGetter& getter = process_environment);

struct EnvironmentVariable {
  const char* name;
  const char* accepted;                                    // what a value may be, for people
  const char* meaning;                                     // one line for docs/ENVIRONMENT.md
  bool (*parse)(const std::string& value, Config& config); // false: malformed
  std::string (*show)(const Config& config);               // the value as a user would write it; empty = unset
};

std::span<const EnvironmentVariable> environment_variables();

} // namespace hk::base
