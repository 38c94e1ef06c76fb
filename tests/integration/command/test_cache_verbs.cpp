#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/scratch_folder.h"
#include "cache/disk_store.h"
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

TEST_CASE("command.cache: ls is a table with name, size, last use, target and symbol; inspect takes its names") {
  const ScratchFolder scratch;
  const std::string cache = scratch / "cache";
  hk::cache::DiskStore store(cache);
  for (const char* symbol : {"kernel_a", "kernel_b"})
    store.publish(hk::cache::make_key({symbol, {}, {"-O3"}, "gfx950"}, {{"libhiprtc", "beef"}}),
                  {{"symbol", symbol}, {"target", "gfx950"}}, hk::base::as_bytes("payload"));
  const auto list = run_hk({"cache", "ls"}, cache);
  REQUIRE(list.exit_code == 0);
  INFO(list.output);
  CHECK(list.output.starts_with("folder: " + cache + "\nNAME"));
  for (const char* part : {"LAST USE (UTC)", "gfx950", "kernel_a", "kernel_b"})
    CHECK(list.output.find(part) != std::string::npos);
  const std::size_t line = list.output.rfind('\n', list.output.find("kernel_a")) + 1;
  const std::string name = list.output.substr(line, list.output.find(' ', line) - line);
  CHECK(name.size() == 12);
  const auto inspected = run_hk({"cache", "inspect", name, "--json"}, cache);
  REQUIRE(inspected.exit_code == 0);
  const auto json = nlohmann::json::parse(inspected.last_line());
  CHECK(json.at("metadata").at("symbol") == "kernel_a");
  CHECK(json.at("key").at("target") == "gfx950");
  CHECK(json.at("key").at("option 1") == "-O3");
  CHECK(json.at("key").at("build-id libhiprtc") == "beef");
  const auto text = run_hk({"cache", "inspect", name}, cache);
  CHECK(text.output.find("build-id libhiprtc: beef") != std::string::npos);
  const auto unknown = run_hk({"cache", "inspect", "nonsense"}, cache);
  CHECK(unknown.exit_code == 1);
  CHECK(unknown.errors.find("nonsense") != std::string::npos);
  CHECK(run_hk({"cache", "inspect"}, cache).exit_code != 0);
}

TEST_CASE("command.cache: stat says why a folder was chosen and what was passed over") {
  const ScratchFolder scratch;
  CHECK(cache_verb("stat", scratch / "cache").at("chosen_by") == "HK_CACHE_DIR");
  CHECK(cache_verb("stat", scratch / "cache").at("file_system") == "local");
  // An empty HK_CACHE_DIR counts as unset.
  const auto relative = run_hk({"cache", "stat", "--json"}, "", {"XDG_CACHE_HOME=some/where"});
  REQUIRE(relative.exit_code == 0);
  const auto json = nlohmann::json::parse(relative.last_line());
  CHECK(json.at("chosen_by") == "HOME");
  REQUIRE(json.at("passed_over").size() == 1);
  CHECK(json.at("passed_over")[0] == "XDG_CACHE_HOME=some/where is passed over: it is not an absolute path");
}

TEST_CASE("command.cache: gc keeps a size") {
  const ScratchFolder scratch;
  const std::string cache = scratch / "cache";
  hk::cache::DiskStore store(cache);
  for (int i = 0; i < 5; ++i)
    store.publish(hk::cache::make_key({std::to_string(i), {}, {}, "gfx950"}, {}), {}, hk::base::as_bytes("payload"));
  CHECK(cache_verb("gc", cache).at("removed") == 0);
  const auto result = run_hk({"cache", "gc", "--max-bytes", "1", "--json"}, cache);
  REQUIRE(result.exit_code == 0);
  CHECK(nlohmann::json::parse(result.last_line()).at("removed") == 5);
  CHECK(nlohmann::json::parse(result.last_line()).at("removed_bytes") >= 5 * 200);
  CHECK(cache_verb("stat", cache).at("entries") == 0);
  CHECK(run_hk({"cache", "gc", "--max-bytes", "-1"}, cache).exit_code != 0);
}

TEST_CASE("command.cache: a folder can be named, and a bad one is exit code 1") {
  const ScratchFolder scratch;
  const auto named = run_hk({"cache", "stat", "--dir", scratch / "other"}, scratch / "cache");
  CHECK(named.exit_code == 0);
  CHECK(named.output.find(scratch / "other") != std::string::npos);
  hk::test::write_text(scratch / "file", "x");
  for (const char* verb : {"stat", "ls", "inspect", "verify", "gc", "clear"}) {
    std::vector<std::string> arguments = {"cache", verb, "--dir", scratch / "file"};
    if (std::string(verb) == "inspect")
      arguments.emplace_back("00");
    const auto refused = run_hk(arguments, scratch / "cache");
    CHECK(refused.exit_code == 1);
    CHECK(refused.errors.find(scratch / "file") != std::string::npos);
  }
}

TEST_CASE("command.cache: why looks into the folder that is named") {
  const ScratchFolder scratch;
  const auto why = run_hk({"cache", "why", "attention", "--device", "null", "--dir", scratch / "other", "--json"},
                          scratch / "cache");
  INFO(why.errors);
  REQUIRE(why.exit_code == 0);
  const auto json = nlohmann::json::parse(why.last_line());
  CHECK(json.at("store") == scratch / "other");
  CHECK(json.at("stored") == false);
}

TEST_SUITE_END();
