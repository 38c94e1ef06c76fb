#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "run_command.h"

TEST_SUITE_BEGIN("command");

using hk::test::run_hk;

TEST_CASE("command.info: a simulated device, its runtime and why it was chosen") {
  const auto result = run_hk({"info", "--device", "sim:mi355x", "--json"}, "none");
  REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
  const auto info = nlohmann::json::parse(result.last_line());
  CHECK(info.at("device") == "sim:mi355x");
  CHECK(info.at("target") == "gfx950:sramecc+:xnack-");
  CHECK(info.at("simulated") == true);
  CHECK(info.at("runtime").at("library").get<std::string>().find("libhksim.so") != std::string::npos);
  CHECK(!info.at("runtime").at("reason").get<std::string>().empty());
  CHECK(info.at("cache") == "memory");
  CHECK(info.at("settings").at("HK_DEVICE") == "sim:mi355x");
  const auto text = run_hk({"info"}, "none", {"HK_DEVICE=sim:mi300x"});
  CHECK(text.exit_code == 0);
  CHECK(text.output.find("target: gfx942:sramecc+:xnack-\n") != std::string::npos);
}

TEST_CASE("command.info: a device that cannot be had is exit code 1 with the status and what to do") {
  const auto missing = run_hk({"info", "--device", "hip:0"}, "none", {"HK_HIP_LIBRARY=/nonexistent/libamdhip64.so"});
  CHECK(missing.exit_code == 1);
  CHECK(missing.output.empty());
  CHECK(missing.errors.find("NO_RUNTIME") != std::string::npos);
  CHECK(missing.errors.find("HK_HIP_LIBRARY") != std::string::npos);
  const auto malformed = run_hk({"info", "--device", "mi300x"}, "none");
  CHECK(malformed.exit_code == 1);
  CHECK(malformed.errors.find("sim:mi300x") != std::string::npos);
}

TEST_CASE("command.info: a malformed variable is named") {
  const auto result = run_hk({"info", "--device", "null"}, "none", {"HK_JIT_EXACT_MAX=many"});
  CHECK(result.exit_code == 1);
  CHECK(result.errors.find("HK_JIT_EXACT_MAX=many") != std::string::npos);
}

TEST_CASE("command.info: a malformed list of simulated devices is named") {
  const auto result = run_hk({"info", "--device", "sim:mi300x"}, "none", {"HK_SIM_DEVICES=mi300x,mi999"});
  CHECK(result.exit_code == 1);
  CHECK(result.errors.find("'mi999'") != std::string::npos);
  CHECK(result.errors.find("HK_SIM_DEVICES") != std::string::npos);
}

TEST_CASE("command: a word that is no command is named, with those that there are") {
  const struct {
    std::vector<std::string> arguments;
    const char* words;
  } rows[] = {
      {{"bogus"}, "'hk' has no command 'bogus': use one of info, run, "},
      {{"run", "bogus"}, "'hk run' has no command 'bogus': use one of attention"},
      {{"cache"}, "a command is missing behind 'hk cache': use one of stat, ls, inspect, verify, gc, clear, why"},
      {{}, "a command is missing behind 'hk'"},
  };
  for (const auto& row : rows) {
    const auto result = run_hk(row.arguments, "none");
    INFO(result.errors);
    CHECK(result.exit_code > 1);
    CHECK(result.errors.find(row.words) != std::string::npos);
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
  }
}

TEST_CASE("command: an empty value is no number") {
  for (const char* option :
       {"--batch", "--heads", "--kv-heads", "--seq-q", "--seq-k", "--head-dim", "--seed", "--calls"}) {
    const auto result = run_hk({"run", "attention", "--device", "null", option, ""}, "none");
    INFO(result.errors);
    CHECK(result.exit_code > 1);
    CHECK(result.output.empty());
    CHECK(result.errors.find(std::string(option) + ": the value is empty") != std::string::npos);
  }
}

TEST_CASE("command: usage errors are told apart from failures") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {}, {"fly"}, {"run"}, {"run", "attention", "--mask", "sideways"}, {"cache"}, {"info", "--colour"}}) {
    const auto result = run_hk(arguments, "none");
    CHECK(result.exit_code > 1);
    CHECK(!result.errors.empty());
  }
  const auto version = run_hk({"--version"}, "none");
  CHECK(version.exit_code == 0);
  CHECK(version.output == "hk 0.1.0\n");
}

TEST_SUITE_END();
