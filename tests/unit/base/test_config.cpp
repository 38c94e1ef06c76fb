#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "base/config.h"

using hk::base::Config;
using hk::base::environment_variables;
using hk::base::EnvironmentVariable;
using hk::base::LogLevel;
using hk::base::read_config;
using hk::base::Specialize;

namespace {

hk::Result<Config> config_of(const std::map<std::string, std::string>& environment) {
  return read_config([&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

void check_refused(const std::string& name, const std::string& value) {
  CAPTURE(name);
  CAPTURE(value);
  const auto config = config_of({{name, value}});
  REQUIRE_FALSE(config.has_value());
  CHECK(config.error().code == hk::StatusCode::invalid_argument);
  CHECK(config.error().message.find(name + "=" + value) != std::string::npos);
  for (const EnvironmentVariable& variable : environment_variables())
    if (name == variable.name)
      CHECK(config.error().message.find(variable.accepted) != std::string::npos);
}

} // namespace

TEST_SUITE_BEGIN("base.config");

TEST_CASE("an empty environment gives the documented defaults") {
  const auto config = config_of({});
  REQUIRE(config.has_value());
  CHECK(config->device.empty());
  CHECK(config->specialize == Specialize::automatic);
  CHECK(config->jit_exact_max == 16);
  CHECK(config->jit);
  CHECK(config->tune == hk::base::TuneMode::automatic);
  CHECK(config->self_check == hk::base::SelfCheck::automatic);
  CHECK(config->cache_max_bytes == std::uint64_t{4} << 30);
  CHECK_FALSE(config->jit_in_process);
  CHECK(config->compile_timeout_ms == 60000);
  CHECK(config->log_level == LogLevel::off);
  CHECK(config->simulator_schedule == 0);
}

TEST_CASE("every variable reaches its field") {
  const std::map<std::string, std::string> environment = {{"HK_DEVICE", "sim:mi300x"},
                                                          {"HK_HIP_LIBRARY", "/opt/libamdhip64.so"},
                                                          {"HK_CACHE_DIR", "/data/hk"},
                                                          {"HK_CACHE_MAX_BYTES", "123456789012"},
                                                          {"HK_SPECIALIZE", "family"},
                                                          {"HK_TUNE", "missing"},
                                                          {"HK_TUNE_BUDGET_MS", "1234"},
                                                          {"HK_SELFCHECK", "always"},
                                                          {"HK_JIT", "off"},
                                                          {"HK_JIT_WORKERS", "7"},
                                                          {"HK_TRACE", "/tmp/trace-%p.json"},
                                                          {"HK_SIM_NOISE", "7:0.02:0.05"},
                                                          {"HK_JIT_EXACT_MAX", "3"},
                                                          {"HK_JIT_IN_PROCESS", "1"},
                                                          {"HK_COMPILE_WORKER", "/opt/worker"},
                                                          {"HK_COMPILE_TIMEOUT_MS", "2500"},
                                                          {"HK_HIPRTC_LIBRARY", "/opt/libhiprtc.so"},
                                                          {"HK_NVRTC_LIBRARY", "/opt/libnvrtc.so"},
                                                          {"HK_CUDA_LIBRARY", "/opt/libcuda.so"},
                                                          {"HK_LOG_LEVEL", "debug"},
                                                          {"HK_LOG_FILE", "/tmp/log"},
                                                          {"HK_SIM_SCHEDULE", "18446744073709551615"},
                                                          {"HK_SIM_DEVICES", "mi300x,mi355x"},
                                                          {"HK_SIM_LIBRARY", "/opt/libhksim.so"},
                                                          {"XDG_CACHE_HOME", "/xdg"},
                                                          {"HOME", "/home/me"},
                                                          {"TMPDIR", "/scratch"},
                                                          {"LD_LIBRARY_PATH", "/a:/b"}};
  const auto config = config_of(environment);
  REQUIRE(config.has_value());
  // No variable is left out below: each shows the value that it was given.
  for (const EnvironmentVariable& variable : environment_variables()) {
    CAPTURE(variable.name);
    REQUIRE(environment.contains(variable.name));
    CHECK(variable.show(*config) == environment.at(variable.name));
  }
  CHECK(config->device == "sim:mi300x");
  CHECK(config->hip_library == "/opt/libamdhip64.so");
  CHECK(config->cache_folder == "/data/hk");
  CHECK(config->cache_max_bytes == 123456789012U);
  CHECK(config->specialize == Specialize::family);
  CHECK(config->tune == hk::base::TuneMode::missing);
  CHECK(config->tune_budget_ms == 1234);
  CHECK(config->self_check == hk::base::SelfCheck::always);
  CHECK_FALSE(config->jit);
  CHECK(config->jit_workers == 7);
  CHECK(config->trace_file == "/tmp/trace-%p.json");
  CHECK(config->simulator_noise == "7:0.02:0.05");
  CHECK(config->jit_exact_max == 3);
  CHECK(config->jit_in_process);
  CHECK(config->compile_worker == "/opt/worker");
  CHECK(config->compile_timeout_ms == 2500);
  CHECK(config->hiprtc_library == "/opt/libhiprtc.so");
  CHECK(config->nvrtc_library == "/opt/libnvrtc.so");
  CHECK(config->cuda_library == "/opt/libcuda.so");
  CHECK(config->log_level == LogLevel::debug);
  CHECK(config->log_file == "/tmp/log");
  CHECK(config->simulator_schedule == 18446744073709551615U);
  CHECK(config->simulator_devices == "mi300x,mi355x");
  CHECK(config->simulator_library == "/opt/libhksim.so");
  CHECK(config->user_cache_home == "/xdg");
  CHECK(config->home == "/home/me");
  CHECK(config->temporary_folder == "/scratch");
  CHECK(config->library_path == "/a:/b");
}

TEST_CASE("an empty value counts as unset") {
  const auto config = config_of({{"HK_COMPILE_TIMEOUT_MS", ""}, {"HK_SPECIALIZE", ""}, {"HK_DEVICE", ""}});
  REQUIRE(config.has_value());
  CHECK(config->compile_timeout_ms == 60000);
  CHECK(config->device.empty());
}

TEST_CASE("a malformed value is INVALID_ARGUMENT naming variable, value and what is accepted") {
  for (const char* number : {"abc", "-1", "+5", " 5", "5 ", "5x", "0x10", "1e3", "99999999999999999999"})
    check_refused("HK_COMPILE_TIMEOUT_MS", number);
  check_refused("HK_COMPILE_TIMEOUT_MS", "0");
  for (const char* word : {"MISSING", "on", "1", "lookup "})
    check_refused("HK_TUNE", word);
  check_refused("HK_SELFCHECK", "on");
  check_refused("HK_JIT", "0");
  check_refused("HK_CACHE_MAX_BYTES", "4G");
  for (const char* noise :
       {"7", "7:0.1", "7:0.1:", ":0.1:0.1", "7:1:0", "7:-0.1:0", "7:nan:0", "x:0.1:0", "7:0.1:0.1:0"})
    check_refused("HK_SIM_NOISE", noise);
  check_refused("HK_COMPILE_TIMEOUT_MS", "86400001");
  check_refused("HK_JIT_EXACT_MAX", "-1");
  check_refused("HK_SIM_SCHEDULE", "18446744073709551616");
  for (const char* text : {"yes", "true", "2", "01", "on"})
    check_refused("HK_JIT_IN_PROCESS", text);
  for (const char* text : {"Exact", "fam", "auto,exact"})
    check_refused("HK_SPECIALIZE", text);
  for (const char* text : {"WARN", "3", "verbose"})
    check_refused("HK_LOG_LEVEL", text);
}

TEST_CASE("a log file alone means level info; a level given beside it holds") {
  CHECK(config_of({{"HK_LOG_FILE", "/tmp/log"}})->log_level == LogLevel::info);
  CHECK(config_of({{"HK_LOG_FILE", "/tmp/log"}, {"HK_LOG_LEVEL", "off"}})->log_level == LogLevel::off);
  CHECK(config_of({{"HK_LOG_FILE", "/tmp/log"}, {"HK_LOG_LEVEL", "error"}})->log_level == LogLevel::error);
}

TEST_CASE("what a variable shows is a value that it accepts") {
  std::map<std::string, std::string> shown;
  const Config defaults;
  for (const EnvironmentVariable& variable : environment_variables())
    shown[variable.name] = variable.show(defaults);
  const auto config = config_of(shown);
  REQUIRE(config.has_value());
  for (const EnvironmentVariable& variable : environment_variables())
    CHECK(variable.show(*config) == shown[variable.name]);
}

TEST_CASE("no variable is listed twice") {
  std::set<std::string> names;
  for (const EnvironmentVariable& variable : environment_variables())
    CHECK(names.insert(variable.name).second);
}

TEST_SUITE_END();
