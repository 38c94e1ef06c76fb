#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/scratch_folder.h"
#include "run_command.h"

TEST_SUITE_BEGIN("command");

using hk::test::CommandResult;
using hk::test::run_hk;
using hk::test::ScratchFolder;

namespace {

std::vector<std::string> small_problem(const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"run",     "attention", "--device",   "sim:mi300x", "--batch", "1",
                                        "--heads", "4",         "--kv-heads", "2",          "--seq-q", "40",
                                        "--seq-k", "72",        "--head-dim", "64",         "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

nlohmann::json parsed(const CommandResult& result) {
  INFO(result.output, result.errors);
  REQUIRE(!result.last_line().empty());
  return nlohmann::json::parse(result.last_line());
}

} // namespace

TEST_CASE("command.run_attention: miss, then disk in a new process, then memory") {
  const ScratchFolder scratch;
  const std::string cache = scratch / "cache";
  const auto first = parsed(run_hk(small_problem(), cache));
  CHECK(first.at("status") == "SUCCESS");
  CHECK(first.at("device") == "sim:mi300x");
  CHECK(first.at("kernel") == "attention_forward__bf16_d64_gqa2_q40_k72__q64_kv64_w2");
  CHECK(first.at("cache") == "miss");
  CHECK(first.at("compile_ms") > 0);
  CHECK(first.at("call_us") >= first.at("compile_ms").get<double>() * 1000);
  CHECK(first.at("modelled_us") > 0);
  CHECK(first.at("max_abs_err").is_null());
  CHECK(first.at("lowprec_max_abs_err").is_null());
  const std::set<std::string> fields = {"status",      "device",      "kernel",
                                        "cache",       "compile_ms",  "call_us",
                                        "modelled_us", "max_abs_err", "lowprec_max_abs_err"};
  std::set<std::string> found;
  for (const auto& [name, value] : first.items())
    found.insert(name);
  CHECK(found == fields);

  const auto second = parsed(run_hk(small_problem(), cache));
  CHECK(second.at("cache") == "disk");
  CHECK(second.at("compile_ms") == 0);
  CHECK(second.at("modelled_us") == first.at("modelled_us")); // the modelled clock repeats
  const auto third = parsed(run_hk(small_problem({"--calls", "2"}), cache));
  CHECK(third.at("cache") == "memory");
}

TEST_CASE("command.run_attention: --check reports E and P, for every input and mask") {
  const ScratchFolder scratch;
  for (const char* input : {"randn", "peaked", "constant-v", "one-hot-v"}) {
    for (const char* mask : {"none", "causal", "causal-top-left"}) {
      CAPTURE(input);
      CAPTURE(mask);
      const auto result = run_hk(small_problem({"--check", "--input", input, "--mask", mask, "--seed", "5"}),
                                 scratch / "cache", {"HK_SPECIALIZE=family"});
      CHECK(result.exit_code == 0);
      const auto report = parsed(result);
      CHECK(report.at("max_abs_err").is_number());
      CHECK(report.at("lowprec_max_abs_err").is_number());
      if (std::string(input) != "constant-v")
        CHECK(report.at("lowprec_max_abs_err") > 0);
    }
  }
}

TEST_CASE("command.run_attention: a wrong output is exit code 1") {
  // A simulated runtime whose launches do nothing leaves the output NaN.
  const ScratchFolder scratch;
  const auto result = run_hk(small_problem({"--check"}), scratch / "cache",
                             {"HK_SIM_LIBRARY=" HK_LAUNCHES_NOTHING, "HK_SELFCHECK=off"});
  CHECK(result.exit_code == 1);
  CHECK(parsed(result).at("status") == "SUCCESS");
  CHECK(parsed(result).at("max_abs_err").is_null()); // NaN
  CHECK(result.errors.find("beyond its bound") != std::string::npos);
}

TEST_CASE("command.run_attention: a check that would compare nothing is refused before anything is compiled") {
  const ScratchFolder scratch;
  const struct {
    std::vector<std::string> more;
    const char* status;
    const char* words;
  } rows[] = {
      {{"--device", "null"}, "UNSUPPORTED", "device null, which runs no kernel"},
      {{"--batch", "0"}, "INVALID_ARGUMENT", "nothing to compare"},
      {{"--seq-q", "0"}, "INVALID_ARGUMENT", "nothing to compare"},
  };
  for (const auto& row : rows) {
    std::vector<std::string> arguments = {"run", "attention", "--json", "--check"};
    if (row.more[0] != "--device")
      arguments.insert(arguments.end(), {"--device", "sim:mi300x"});
    arguments.insert(arguments.end(), row.more.begin(), row.more.end());
    const auto result = run_hk(arguments, scratch / "cache");
    INFO(result.errors);
    CHECK(result.exit_code == 1);
    CHECK(parsed(result).at("status") == row.status);
    CHECK(parsed(result).at("cache").is_null());
    CHECK(result.errors.find(row.words) != std::string::npos);
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
  }
}

TEST_CASE("command.run_attention: a seed gives the same numbers every time, another seed others") {
  const ScratchFolder scratch;
  const auto error_of = [&](const char* seed) {
    return parsed(run_hk(small_problem({"--check", "--seed", seed}), scratch / "cache")).at("max_abs_err");
  };
  CHECK(error_of("1") == error_of("1"));
  CHECK(error_of("1") != error_of("2"));
}

TEST_CASE("command.run_attention: refusals are exit code 1, a JSON line and a sentence") {
  const struct {
    std::vector<std::string> more;
    const char* status;
    const char* words;
  } rows[] = {
      {{"--head-dim", "96"}, "UNSUPPORTED", "head_dim is 96"},
      {{"--kv-heads", "3"}, "INVALID_ARGUMENT", "heads_kv, 3"},
      {{"--seq-q", "-5"}, "INVALID_ARGUMENT", "seq_q is -5"},
      {{"--batch", "99999999999"}, "UNSUPPORTED", "batch is 99999999999"},
      {{"--device", "hip:64"}, nullptr, "hip:64"},
  };
  for (const auto& row : rows) {
    std::vector<std::string> arguments = {"run", "attention", "--json", "--heads", "4", "--kv-heads", "2"};
    if (row.more[0] != "--device")
      arguments.insert(arguments.end(), {"--device", "null"});
    if (row.more[0] == "--kv-heads")
      arguments.erase(arguments.begin() + 5, arguments.begin() + 7);
    arguments.insert(arguments.end(), row.more.begin(), row.more.end());
    const auto result = run_hk(arguments, "none");
    CHECK(result.exit_code == 1);
    const auto report = parsed(result);
    if (row.status != nullptr)
      CHECK(report.at("status") == row.status);
    else
      CHECK(report.at("status").get<std::string>().starts_with("NO_"));
    CHECK(report.at("cache").is_null());
    CHECK(result.errors.find(row.words) != std::string::npos);
  }
}

TEST_CASE("command.run_attention: nothing but the report goes to stdout") {
  const auto result = run_hk(small_problem(), "none");
  CHECK(result.output == result.last_line() + "\n");
  CHECK(result.errors.empty());
}

TEST_SUITE_END();
