#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/scratch_folder.h"
#include "run_command.h"

TEST_SUITE_BEGIN("command");

using hk::test::run_hk;
using hk::test::ScratchFolder;

namespace {

nlohmann::json cache_verb(const std::string& verb, const std::string& cache, int exit_code = 0) {
  const auto result = run_hk({"cache", verb, "--json"}, cache);
  INFO(result.errors);
  REQUIRE(result.exit_code == exit_code);
  return nlohmann::json::parse(result.last_line());
}

} // namespace

TEST_CASE("command.cache: stat, ls, verify and clear over the life of one entry") {
  const ScratchFolder scratch;
  const std::string cache = scratch / "cache";
  CHECK(cache_verb("stat", cache).at("entries") == 0);
  const std::vector<std::string> problem = {"run",     "attention",  "--device",   "null",    "--heads",
                                            "1",       "--kv-heads", "1",          "--seq-q", "1",
                                            "--seq-k", "1",          "--head-dim", "64"};
  REQUIRE(run_hk(problem, cache).exit_code == 0);
  CHECK(cache_verb("stat", cache).at("entries") == 1);
  CHECK(cache_verb("stat", cache).at("entry_bytes") > 1000);
  const auto entries = cache_verb("ls", cache).at("entries");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].at("symbol").get<std::string>().starts_with("attention_forward__bf16_d64"));
  CHECK(entries[0].at("target") == "gfx950:sramecc+:xnack-");
  CHECK(cache_verb("verify", cache).at("damaged").empty());

  const std::string name = entries[0].at("name").get<std::string>();
  for (const auto& item : std::filesystem::recursive_directory_iterator(cache)) {
    if (!item.is_regular_file() || item.file_size() < 1000)
      continue;
    std::string bytes = hk::test::read_text(item.path());
    bytes[bytes.size() - 9] = static_cast<char>(bytes[bytes.size() - 9] ^ 1);
    hk::test::write_text(item.path(), bytes);
  }
  const auto damaged = cache_verb("verify", cache, 1).at("damaged");
  REQUIRE(damaged.size() == 1);
  CHECK(damaged[0].at("name") == name);
  CHECK(!damaged[0].at("problem").get<std::string>().empty());

  CHECK(cache_verb("clear", cache).at("removed") == 1);
  CHECK(cache_verb("stat", cache).at("entries") == 0);
}

TEST_CASE("command.cache: a folder can be named, and a bad one is exit code 1") {
  const ScratchFolder scratch;
  const auto named = run_hk({"cache", "stat", "--dir", scratch / "other"}, scratch / "cache");
  CHECK(named.exit_code == 0);
  CHECK(named.output.find(scratch / "other") != std::string::npos);
  hk::test::write_text(scratch / "file", "x");
  for (const char* verb : {"stat", "ls", "verify", "clear"}) {
    const auto refused = run_hk({"cache", verb, "--dir", scratch / "file"}, scratch / "cache");
    CHECK(refused.exit_code == 1);
    CHECK(refused.errors.find(scratch / "file") != std::string::npos);
  }
}

TEST_SUITE_END();
