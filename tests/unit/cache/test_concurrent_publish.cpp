#include <doctest/doctest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "unit/base/child_process.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::PublishOutcome;
using hk::test::exit_code;
using hk::test::sample_key;
using hk::test::sample_payload;
using hk::test::ScratchFolder;
using hk::test::start_together;

TEST_SUITE_BEGIN("cache.concurrent_publish");

TEST_CASE("of eight processes that publish one key, one wins, none fails, and all find it") {
  for (int round = 0; round < 4; ++round) {
    const ScratchFolder scratch;
    const std::string folder = scratch / "cache";
    int published = 0;
    int already_present = 0;
    for (const pid_t child : start_together(8, [&](int) {
           DiskStore store(folder);
           const PublishOutcome outcome = store.publish(sample_key(), {}, sample_payload(20000));
           return store.lookup(sample_key()).has_value() ? static_cast<int>(outcome) : 100;
         })) {
      const int code = exit_code(child);
      published += code == static_cast<int>(PublishOutcome::published) ? 1 : 0;
      already_present += code == static_cast<int>(PublishOutcome::already_present) ? 1 : 0;
    }
    CHECK(published == 1);
    CHECK(already_present == 7);
    CHECK(hk::cache::list_entries(folder)->size() == 1);
    CHECK(hk::cache::folder_statistics(folder)->temporary_files == 0);
  }
}

TEST_CASE(
    "while writers of many keys are killed and the folder is cleared, every visible entry is sound at all times") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  std::mt19937 random(7);
  int reads = 0;
  for (int round = 0; round < 6; ++round) {
    const unsigned seed = random();
    const auto children = start_together(4, [&](int i) {
      std::mt19937 order(seed + static_cast<unsigned>(i));
      DiskStore store(folder);
      while (true) {
        const auto key = sample_key(std::to_string(order() % 40));
        if (store.publish(key, {}, sample_payload(5000)) == PublishOutcome::not_stored)
          ::_exit(1);
      }
      return 0;
    });
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    const int enough = reads + 100;
    while (reads < enough && std::chrono::steady_clock::now() < deadline) {
      const auto entries = hk::cache::list_entries(folder);
      REQUIRE(entries.has_value());
      for (const auto& entry : *entries) {
        REQUIRE_MESSAGE(entry.problem.empty(), entry.problem);
        ++reads;
      }
      // So that there is always something left to write.
      CHECK(hk::cache::clear_entries(folder).has_value());
    }
    ::usleep(random() % 5000);
    for (const pid_t child : children)
      ::kill(child, SIGKILL);
    for (const pid_t child : children)
      CHECK(exit_code(child) == -1);
  }
  CHECK(reads > 100);
}

TEST_CASE("threads may share one store") {
  const ScratchFolder scratch;
  DiskStore store(scratch / "cache");
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 16; ++i) {
        const auto key = sample_key(std::to_string(i));
        if (store.publish(key, {}, sample_payload(100)) == PublishOutcome::not_stored)
          ++wrong;
        const auto entry = store.lookup(key);
        if (!entry || entry->payload != sample_payload(100))
          ++wrong;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(wrong == 0);
  CHECK(store.counters().published == 16);
  CHECK(store.counters().already_present == 48);
  CHECK(store.counters().hits == 64);
}

TEST_SUITE_END();
