// The one table of environment variables. A variable is added here together with the code that uses its field and its
// row in docs/ENVIRONMENT.md.

#include <array>
#include <charconv>
#include <limits>

#include "base/config.h"

namespace hk::base {
namespace {

template <typename Integer>
bool parse_integer(const std::string& value, Integer lowest, Integer highest, Integer& out) {
  Integer parsed{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error != std::errc{} || end != value.data() + value.size() || parsed < lowest || parsed > highest)
    return false;
  out = parsed;
  return true;
}

bool parse_switch(const std::string& value, bool& out) {
  if (value != "0" && value != "1")
    return false;
  out = value == "1";
  return true;
}

bool parse_log_level(const std::string& value, LogLevel& out) {
  for (const LogLevel level : {LogLevel::off, LogLevel::error, LogLevel::warning, LogLevel::info, LogLevel::debug}) {
    if (value == log_level_name(level)) {
      out = level;
      return true;
    }
  }
  return false;
}

bool parse_specialize(const std::string& value, Specialize& out) {
  if (value == "auto")
    out = Specialize::automatic;
  else if (value == "exact")
    out = Specialize::exact;
  else if (value == "family")
    out = Specialize::family;
  else
    return false;
  return true;
}

std::string show_specialize(const Config& config) {
  switch (config.specialize) {
  case Specialize::exact:
    return "exact";
  case Specialize::family:
    return "family";
  case Specialize::automatic:
    break;
  }
  return "auto";
}

// A variable whose value is taken as it is.
template <std::string Config::* Field>
constexpr EnvironmentVariable text_variable(const char* name, const char* accepted, const char* meaning) {
  return {name, accepted, meaning,
          [](const std::string& value, Config& config) {
            config.*Field = value;
            return true;
          },
          [](const Config& config) { return config.*Field; }};
}

template <bool Config::* Field>
constexpr EnvironmentVariable switch_variable(const char* name, const char* meaning) {
  return {name, "0 or 1", meaning,
          [](const std::string& value, Config& config) { return parse_switch(value, config.*Field); },
          [](const Config& config) { return std::string(config.*Field ? "1" : "0"); }};
}

template <auto Field, std::uint64_t Lowest, std::uint64_t Highest>
constexpr EnvironmentVariable integer_variable(const char* name, const char* accepted, const char* meaning) {
  return {name, accepted, meaning,
          [](const std::string& value, Config& config) {
            using Integer = std::remove_reference_t<decltype(config.*Field)>;
            return parse_integer<Integer>(value, Lowest, Highest, config.*Field);
          },
          [](const Config& config) { return std::to_string(config.*Field); }};
}

constexpr std::array k_variables = {
    text_variable<&Config::device>(
        "HK_DEVICE", "hip:N, sim:mi300x, sim:mi325x, sim:mi355x, null or null:PROCESSOR",
        "Device of a context that names none; hip:0 if unset. A simulated device is never chosen silently. "
        "null counts launches and runs nothing; it compiles for gfx950 unless told otherwise."),
    text_variable<&Config::hip_library>(
        "HK_HIP_LIBRARY", "a path or a soname",
        "HIP runtime to load instead of the one already in the process or libamdhip64.so.7 or .6."),
    text_variable<&Config::cache_folder>(
        "HK_CACHE_DIR", "a folder, or none",
        "Where compiled kernels are kept; none keeps nothing on disk. Nothing else is tried when it is set."),
    EnvironmentVariable{
        "HK_SPECIALIZE", "auto, exact or family",
        "Which kernel serves a problem: exact fixes sequence lengths and head ratio, family serves all of them, "
        "auto uses exact kernels up to HK_JIT_EXACT_MAX.",
        [](const std::string& value, Config& config) { return parse_specialize(value, config.specialize); },
        show_specialize},
    integer_variable<&Config::jit_exact_max, 0, 1000000>("HK_JIT_EXACT_MAX", "an integer from 0 to 1000000",
                                                         "Exact kernels per family before the family kernel is used."),
    switch_variable<&Config::jit_in_process>(
        "HK_JIT_IN_PROCESS", "1 = run hipRTC inside the calling process. A compiler crash then ends the program."),
    text_variable<&Config::compile_worker>("HK_COMPILE_WORKER", "a path",
                                           "hk-compile-worker to use instead of the one beside the library."),
    integer_variable<&Config::compile_timeout_ms, 1, 86400000>("HK_COMPILE_TIMEOUT_MS", "an integer from 1 to 86400000",
                                                               "Wall-clock limit of one compile, in milliseconds."),
    text_variable<&Config::hiprtc_library>(
        "HK_HIPRTC_LIBRARY", "a path",
        "libhiprtc to compile with instead of libhiprtc.so.7 or .6 where the system's loader would find it."),
    EnvironmentVariable{
        "HK_LOG_LEVEL", "off, error, warning, info or debug", "How much is logged. info when only HK_LOG_FILE is set.",
        [](const std::string& value, Config& config) { return parse_log_level(value, config.log_level); },
        [](const Config& config) { return std::string(log_level_name(config.log_level)); }},
    text_variable<&Config::log_file>("HK_LOG_FILE", "a file", "File that the log is appended to instead of stderr."),
    integer_variable<&Config::simulator_schedule, 0, std::numeric_limits<std::uint64_t>::max()>(
        "HK_SIM_SCHEDULE", "an integer from 0 to 18446744073709551615",
        "Seed of the simulated GPU's wave priority, workgroup order and memory latency."),
    text_variable<&Config::simulator_devices>(
        "HK_SIM_DEVICES", "mi300x, mi325x, mi355x, any number of them, separated by commas",
        "Devices that the simulated runtime shows, in this order; one of each if unset."),
    text_variable<&Config::simulator_library>(
        "HK_SIM_LIBRARY", "a path", "libhksim to load for sim: devices instead of the one beside the library."),
    text_variable<&Config::user_cache_home>(
        "XDG_CACHE_HOME", "an absolute path",
        "Standard variable: the cache is XDG_CACHE_HOME/hk when HK_CACHE_DIR is unset."),
    text_variable<&Config::home>(
        "HOME", "an absolute path",
        "Standard variable: the cache is HOME/.cache/hk when HK_CACHE_DIR and XDG_CACHE_HOME are unset."),
    text_variable<&Config::temporary_folder>("TMPDIR", "an absolute path",
                                             "Standard variable: where a compile keeps its temporary files."),
    text_variable<&Config::library_path>(
        "LD_LIBRARY_PATH", "folders separated by colons",
        "Standard variable: searched for libhiprtc first, and passed on to the compile worker."),
};

} // namespace

std::span<const EnvironmentVariable> environment_variables() {
  return k_variables;
}

} // namespace hk::base
