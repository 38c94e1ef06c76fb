// The one table of environment variables. A variable is added here together with the code that uses its field and its
// row in docs/ENVIRONMENT.md.

#include <algorithm>
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

// One word of an enumeration and its value.
template <typename Value>
struct Word {
  const char* text;
  Value value;
};

constexpr std::array<Word<Specialize>, 3> k_specialize_words = {
    {{"auto", Specialize::automatic}, {"exact", Specialize::exact}, {"family", Specialize::family}}};
constexpr std::array<Word<TuneMode>, 5> k_tune_words = {{{"auto", TuneMode::automatic},
                                                         {"off", TuneMode::off},
                                                         {"lookup", TuneMode::lookup},
                                                         {"missing", TuneMode::missing},
                                                         {"force", TuneMode::force}}};
constexpr std::array<Word<bool>, 2> k_on_off_words = {{{"on", true}, {"off", false}}};
constexpr std::array<Word<SelfCheck>, 3> k_self_check_words = {
    {{"off", SelfCheck::off}, {"auto", SelfCheck::automatic}, {"always", SelfCheck::always}}};

// seed:sigma:outliers, for example 7:0.02:0.05.
bool parse_noise(const std::string& value, Config& config) {
  const std::size_t first = value.find(':');
  const std::size_t second = first == std::string::npos ? first : value.find(':', first + 1);
  if (second == std::string::npos)
    return false;
  std::uint64_t seed = 0;
  if (!parse_integer<std::uint64_t>(value.substr(0, first), 0, std::numeric_limits<std::uint64_t>::max(), seed))
    return false;
  for (const std::string& part : {value.substr(first + 1, second - first - 1), value.substr(second + 1)}) {
    double fraction = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), fraction);
    if (error != std::errc{} || end != part.data() + part.size() || !(fraction >= 0 && fraction < 1))
      return false;
  }
  config.simulator_noise = value;
  return true;
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

template <auto Field, const auto& Words>
constexpr EnvironmentVariable word_variable(const char* name, const char* accepted, const char* meaning) {
  return {name, accepted, meaning,
          [](const std::string& value, Config& config) {
            const auto* word = std::find_if(Words.begin(), Words.end(), [&](const auto& w) { return value == w.text; });
            if (word == Words.end())
              return false;
            config.*Field = word->value;
            return true;
          },
          [](const Config& config) {
            const auto* word =
                std::find_if(Words.begin(), Words.end(), [&](const auto& w) { return config.*Field == w.value; });
            return std::string(word->text);
          }};
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
        "HK_DEVICE", "hip:N, cuda:N, sim:mi300x, sim:mi325x, sim:mi355x, null or null:PROCESSOR",
        "Device of a context that names none; hip:0 if unset. A simulated device is never chosen silently. "
        "null counts launches and runs nothing; it compiles for gfx950 unless told otherwise."),
    text_variable<&Config::hip_library>(
        "HK_HIP_LIBRARY", "a path or a soname",
        "HIP runtime to load instead of the one already in the process or libamdhip64.so.7 or .6."),
    text_variable<&Config::cuda_library>("HK_CUDA_LIBRARY", "a path or a soname",
                                         "CUDA driver to load for cuda:N instead of libcuda.so.1."),
    text_variable<&Config::cache_folder>(
        "HK_CACHE_DIR", "a folder, or none",
        "Where compiled kernels are kept; none keeps nothing on disk. Nothing else is tried when it is set."),
    integer_variable<&Config::cache_max_bytes, 0, std::numeric_limits<std::uint64_t>::max()>(
        "HK_CACHE_MAX_BYTES", "an integer from 0 to 18446744073709551615",
        "Size that the cache folder may have; beyond it the kernels that were not used for longest are removed. 0 "
        "keeps nothing on disk."),
    word_variable<&Config::specialize, k_specialize_words>(
        "HK_SPECIALIZE", "auto, exact or family",
        "Which kernel serves a problem: exact fixes sequence lengths and head ratio, family serves all of them, "
        "auto uses exact kernels up to HK_JIT_EXACT_MAX."),
    word_variable<&Config::tune, k_tune_words>(
        "HK_TUNE", "auto, off, lookup, missing or force",
        "What decides a kernel's configuration: off, the default rule; lookup, the stored tuning records; missing, "
        "records, and measuring where there is none; force, measuring once per context and problem; auto, missing on "
        "a GPU and lookup on a simulated device."),
    integer_variable<&Config::tune_budget_ms, 1, 86400000>(
        "HK_TUNE_BUDGET_MS", "an integer from 1 to 86400000",
        "Time that measuring one problem may take, in milliseconds."),
    word_variable<&Config::self_check, k_self_check_words>(
        "HK_SELFCHECK", "off, auto or always",
        "Whether a freshly compiled kernel is compared with a host reference before it is used: auto does so where it "
        "takes at most 20 ms and 256 MiB."),
    integer_variable<&Config::jit_exact_max, 0, 1000000>("HK_JIT_EXACT_MAX", "an integer from 0 to 1000000",
                                                         "Exact kernels per family before the family kernel is used."),
    word_variable<&Config::jit, k_on_off_words>("HK_JIT", "on or off",
                                                "off = compile nothing: a kernel that no cache holds is NOT_CACHED."),
    switch_variable<&Config::jit_in_process>(
        "HK_JIT_IN_PROCESS", "1 = run hipRTC inside the calling process. A compiler crash then ends the program."),
    integer_variable<&Config::jit_workers, 0, 1024>(
        "HK_JIT_WORKERS", "an integer from 0 to 1024",
        "Compiles that may run at a time, over all processes of a user on a machine; 0 = CPUs of the affinity mask."),
    text_variable<&Config::compile_worker>("HK_COMPILE_WORKER", "a path",
                                           "hk-compile-worker to use instead of the one beside the library."),
    integer_variable<&Config::compile_timeout_ms, 1, 86400000>("HK_COMPILE_TIMEOUT_MS", "an integer from 1 to 86400000",
                                                               "Wall-clock limit of one compile, in milliseconds."),
    text_variable<&Config::hiprtc_library>(
        "HK_HIPRTC_LIBRARY", "a path",
        "libhiprtc to compile with instead of libhiprtc.so.7 or .6 where the system's loader would find it."),
    text_variable<&Config::nvrtc_library>("HK_NVRTC_LIBRARY", "a path",
                                          "libnvrtc to compile for cuda:N with instead of libnvrtc.so.13 or .12 where "
                                          "the system's loader would find it."),
    EnvironmentVariable{
        "HK_LOG_LEVEL", "off, error, warning, info or debug", "How much is logged. info when only HK_LOG_FILE is set.",
        [](const std::string& value, Config& config) { return parse_log_level(value, config.log_level); },
        [](const Config& config) { return std::string(log_level_name(config.log_level)); }},
    text_variable<&Config::log_file>("HK_LOG_FILE", "a file",
                                     "File that the log is appended to instead of stderr; its folder must exist."),
    text_variable<&Config::trace_file>(
        "HK_TRACE", "a file", "File that gets a Chrome trace of lookups, waits, compiles, tuning, loads and launches."),
    integer_variable<&Config::simulator_schedule, 0, std::numeric_limits<std::uint64_t>::max()>(
        "HK_SIM_SCHEDULE", "an integer from 0 to 18446744073709551615",
        "Seed of the simulated GPU's wave priority, workgroup order and memory latency."),
    EnvironmentVariable{
        "HK_SIM_NOISE", "seed:sigma:outliers, an integer and two numbers from 0 to below 1",
        "Noise on the simulated GPU's event times: relative deviation sigma, and the share of outliers.", parse_noise,
        [](const Config& config) { return config.simulator_noise; }},
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
        "Standard variable: searched for libhiprtc or libnvrtc first, and passed on to the compile worker."),
};

} // namespace

std::span<const EnvironmentVariable> environment_variables() {
  return k_variables;
}

} // namespace hk::base
