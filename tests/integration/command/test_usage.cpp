// What the command says to a line that it does not understand.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "run_command.h"

TEST_SUITE_BEGIN("command");

using hk::test::run_hk;

namespace {

struct Misuse {
  std::vector<std::string> arguments;
  std::vector<std::string> said;
};

} // namespace

TEST_CASE("command.usage: what is wrong is named with what is accepted, and the exit code is not 0") {
  const std::vector<Misuse> cases = {
      {{"cache"}, {"a command is missing behind 'hk cache'", "stat, ls, inspect, verify, gc, clear, why"}},
      {{"cache", "lst"}, {"'hk cache' has no command 'lst'", "stat, ls"}},
      {{"cache", "inspect"}, {"hk cache inspect: KEY is required"}},
      {{"tune", "import"}, {"hk tune import: FILE is required"}},
      {{"tune", "import", "/tmp"}, {"hk tune import: read /tmp: Is a directory"}},
      {{"tune", "import", "/dev/zero"}, {"hk tune import: read /dev/zero: File too large"}}, // it has no end
      {{"tune", "import", "/nonexistent/records"}, {"hk tune import: open /nonexistent/records: No such file"}},
      {{"cache", "gc", "--max-bytes", "0"}, {"--max-bytes", "above 0", "hk cache clear"}},
      {{"run", "attention", "--dtype", "fp32"}, {"--dtype", "'fp32' is none of bf16, fp16"}},
      {{"run", "attention", "--dtype", "1"}, {"'1' is none of bf16, fp16"}},
      {{"run", "attention", "--mask", "full"}, {"--mask", "'full' is none of causal, causal-top-left, none"}},
      {{"run", "attention", "--input", "x"}, {"--input", "'x' is none of constant-v, one-hot-v, peaked, randn"}},
  };
  for (const Misuse& misuse : cases) {
    const auto result = run_hk(misuse.arguments, "none");
    INFO(result.errors);
    CHECK(result.exit_code != 0);
    CHECK(result.output.empty());
    for (const std::string& text : misuse.said)
      CHECK(result.errors.find(text) != std::string::npos);
  }
}

TEST_CASE("command.usage: help shows words and defaults, not the numbers behind them") {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "attention"}, {"tune", "attention"}, {"cache", "why", "attention"}}) {
    std::vector<std::string> arguments = command;
    arguments.emplace_back("--help");
    const auto result = run_hk(arguments, "none");
    REQUIRE(result.exit_code == 0);
    CHECK(result.output.find("--dtype TEXT [bf16]") != std::string::npos);
    CHECK(result.output.find("--mask TEXT [none]") != std::string::npos);
    CHECK(result.output.find("->") == std::string::npos);
  }
}

TEST_SUITE_END();
