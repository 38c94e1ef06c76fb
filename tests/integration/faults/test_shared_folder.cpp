// Folders that change under a running program or belong to several: removed, of two library versions, with times in the
// future, of another user.

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <memory>
#include <string>
#include <thread>

#include "base/remove_tree.h"
#include "cache/disk_store.h"
#include "folder_state.h"
#include "hk/hk.h"
#include "integration/canned_compiler/client_process.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr std::size_t k_keys = 3;

struct Fixture {
  ScratchFolder scratch;
  std::string folder = scratch / "cache";
  CannedCompiler compiler;
  Variables variables = client_variables(folder, compiler.worker());

  ClientReport ask() { return run_client(variables, {"keys=1000:" + std::to_string(k_keys)}); }
};

} // namespace

TEST_SUITE_BEGIN("shared_folder");

TEST_CASE("shared folder: removed again and again while programs use it, no call fails, and then it is filled again") {
  Fixture fixture;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 4; ++i)
    clients.push_back(
        std::make_unique<Client>(fixture.variables, std::vector<std::string>{"keys=1000:40", "threads=2", "contexts=3",
                                                                             "seed=" + std::to_string(i)}));
  std::atomic<bool> done{false};
  std::atomic<int> removals{0};
  std::thread remover([&] {
    for (; !done; ++removals) {
      (void)base::remove_tree(fixture.folder);
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
  });
  for (const auto& client : clients) {
    const ClientReport report = client->report();
    CHECK(report.exit.success());
    CHECK(report["SUCCESS"] == 240);
  }
  done = true;
  remover.join();
  CHECK(removals > 5);
  (void)base::remove_tree(fixture.folder);
  CHECK(fixture.ask()["not_stored"] == 0);
  check_entries(fixture.folder, k_keys);
}

TEST_CASE(
    "shared folder: an entry of the same request and another tool chain is neither served nor replaced nor removed") {
  Fixture fixture;
  REQUIRE(fixture.ask()["compiles"] == k_keys);
  cache::DiskStore store(fixture.folder);
  std::vector<cache::Key> others;
  for (const std::string& path : stored_entries(fixture.folder)) {
    const std::string bytes = read_text(path);
    const auto entry = cache::decode_entry(base::as_bytes(bytes));
    REQUIRE(entry.has_value());
    others.push_back(cache::key_from_texts(entry->key.request_text, entry->key.toolchain_text + "newer"));
    REQUIRE(store.publish(others.back(), entry->metadata, base::as_bytes("code of another compiler")) ==
            cache::PublishOutcome::published);
    REQUIRE(std::filesystem::remove(path));
  }
  // Both versions in turn: each finds its own.
  CHECK(fixture.ask()["compiles"] == k_keys);
  CHECK(fixture.ask()["disk_hits"] == k_keys);
  for (const cache::Key& other : others) {
    const auto found = store.lookup(other);
    REQUIRE(found.has_value());
    CHECK(base::as_text(found->payload) == "code of another compiler");
  }
}

TEST_CASE("shared folder: the tree of another format stays as it is, also when this one is cleared") {
  Fixture fixture;
  const std::string other = fixture.folder + "/v2/a/b";
  REQUIRE(std::filesystem::create_directories(other));
  std::filesystem::permissions(fixture.folder, std::filesystem::perms::owner_all);
  write_text(other + "/entry.hk2", "a later version's");
  REQUIRE(fixture.ask()["SUCCESS"] == k_keys);
  CHECK(fixture.ask()["disk_hits"] == k_keys);
  std::uint64_t removed = 0;
  REQUIRE(hk_cache_clear(fixture.folder.c_str(), &removed) == HK_STATUS_SUCCESS);
  CHECK(removed == k_keys);
  CHECK(read_text(other + "/entry.hk2") == "a later version's");
}

TEST_CASE(
    "shared folder: a clock set back: everything is a day ahead of now, and all is found, stored and used as ever") {
  Fixture fixture;
  REQUIRE(fixture.ask()["compiles"] == k_keys);
  constexpr long k_day = 86400;
  for (const auto& item : std::filesystem::recursive_directory_iterator(fixture.folder))
    shift_time(item.path(), k_day);
  CHECK(fixture.ask()["disk_hits"] == k_keys);
  const ClientReport report = run_client(fixture.variables, {"keys=1000:" + std::to_string(k_keys + 1)});
  CHECK(report["disk_hits"] == k_keys);
  CHECK(report["not_stored"] == 0);
  CHECK(report["wait_ms"] == 0);
  check_entries(fixture.folder, k_keys + 1);
}

TEST_CASE("shared folder: a clock set back: a failure kept tomorrow counts no more, a temporary file of tomorrow does "
          "not stay") {
  Fixture fixture;
  fixture.compiler.order("refuse first=1");
  REQUIRE(run_client(fixture.variables, {"keys=1000:1"})["COMPILE_FAILED"] == 1);
  const auto failures = files_below(fixture.folder, "", ".failure");
  REQUIRE(failures.size() == 1);
  const std::string bytes = read_text(failures[0]);
  auto failure = cache::decode_entry(base::as_bytes(bytes));
  REQUIRE(failure.has_value());
  CHECK(run_client(fixture.variables, {"keys=1000:1"})["kept_failures"] == 1);
  constexpr long k_day = 86400;
  std::string& created = failure->metadata[cache::metadata_names::k_created];
  created = std::to_string(std::stol(created) + k_day);
  write_text(failures[0], base::as_text(cache::encode_entry(failure->key, failure->metadata, failure->payload)));
  const std::string temporary =
      std::filesystem::path(failures[0]).parent_path() / (".temporary-" + std::string(32, 'a'));
  write_text(temporary, "half an entry");
  shift_time(temporary, k_day);
  const ClientReport report = run_client(fixture.variables, {"keys=1000:1"});
  CHECK(report["SUCCESS"] == 1);
  CHECK(report["kept_failures"] == 0);
  struct stat information{};
  REQUIRE(::lstat(temporary.c_str(), &information) == 0); // somebody may be at it
  CHECK(information.st_mtime <= ::time(nullptr) + 60);    // but now its hour has begun
}

TEST_SUITE_END();
