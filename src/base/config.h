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

// What happens for a problem without a tuning record: HK_TUNE.
enum class TuneMode {
  automatic, // missing on a GPU; lookup on a simulated or null device, where every trial runs in software
  off,       // the default rule, records are not read
  lookup,    // records decide; where there is none, the default rule
  missing,   // as lookup, but measures where there is none
  force,     // measures once per context and problem, whatever the records say
};

// Whether a freshly compiled kernel is compared with the host reference: HK_SELFCHECK.
enum class SelfCheck {
  off,
  automatic, // if it fits the limits of time and memory
  always,    // whatever it costs
};

struct Config {
  std::string device;                                     // HK_DEVICE; empty = first device of the runtime
  std::string cuda_library;                               // HK_CUDA_LIBRARY
  std::string hip_library;                                // HK_HIP_LIBRARY
  std::string cache_folder;                               // HK_CACHE_DIR
  std::uint64_t cache_max_bytes = std::uint64_t{4} << 30; // HK_CACHE_MAX_BYTES
  Specialize specialize = Specialize::automatic;          // HK_SPECIALIZE
  TuneMode tune = TuneMode::automatic;                    // HK_TUNE
  std::uint32_t tune_budget_ms = 5000;                    // HK_TUNE_BUDGET_MS: of measuring one problem
  SelfCheck self_check = SelfCheck::automatic;            // HK_SELFCHECK
  std::uint32_t jit_exact_max = 16;                       // HK_JIT_EXACT_MAX: exact kernels per family
  bool jit = true;                                        // HK_JIT: off = what is not cached is NOT_CACHED
  bool jit_in_process = false;                            // HK_JIT_IN_PROCESS
  std::uint32_t jit_workers = 0;                          // HK_JIT_WORKERS; 0 = CPUs of the affinity mask
  std::string compile_worker;                             // HK_COMPILE_WORKER
  std::uint32_t compile_timeout_ms = 60000;               // HK_COMPILE_TIMEOUT_MS
  std::string hiprtc_library;                             // HK_HIPRTC_LIBRARY
  std::string nvrtc_library;                              // HK_NVRTC_LIBRARY
  LogLevel log_level = LogLevel::off;                     // HK_LOG_LEVEL; info when only HK_LOG_FILE is set
  std::string log_file;                                   // HK_LOG_FILE; empty = stderr
  std::string trace_file;                                 // HK_TRACE
  std::uint64_t simulator_schedule = 0;                   // HK_SIM_SCHEDULE: seed
  std::string simulator_noise;                            // HK_SIM_NOISE: seed:sigma:outliers
  std::string simulator_devices;                          // HK_SIM_DEVICES
  std::string simulator_library;                          // HK_SIM_LIBRARY
  std::string user_cache_home;                            // XDG_CACHE_HOME
  std::string home;                                       // HOME
  std::string temporary_folder;                           // TMPDIR
  std::string library_path;                               // LD_LIBRARY_PATH
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
