// kill -9 of a writer at every instant: before each system call that changes something, and in the middle of the bytes.

#include <doctest/doctest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/intercepted_calls.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::PublishOutcome;
using hk::test::InterceptedCalls;
using hk::test::sample_key;
using hk::test::sample_metadata;
using hk::test::sample_payload;
using hk::test::ScratchFolder;
using hk::test::SystemCall;

namespace {

// Publishes in a child that dies before its n-th call. Returns true if the child lived to the end.
bool publish_and_die(const std::string& folder, int calls_to_live) {
  const pid_t child = ::fork();
  if (child == 0) {
    int left = calls_to_live;
    InterceptedCalls calls([&left](SystemCall) {
      if (left-- == 0)
        ::kill(::getpid(), SIGKILL);
      return 0;
    });
    calls.largest_transfer = 1000;
    DiskStore store(folder);
    ::_exit(store.publish(sample_key(), sample_metadata(), sample_payload()) == PublishOutcome::published ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status))
    return false;
  REQUIRE(WEXITSTATUS(status) == 0);
  return true;
}

} // namespace

TEST_SUITE_BEGIN("cache.killed_writer");

TEST_CASE("a writer killed at any instant leaves no entry or a whole one, and the next writer is not hindered") {
  int instants = 0;
  int absent = 0;
  int whole = 0;
  for (bool finished = false; !finished; ++instants) {
    CAPTURE(instants);
    REQUIRE(instants < 200);
    const ScratchFolder scratch("/tmp"); // a real disk, as a rule
    const std::string folder = scratch / "cache";
    finished = publish_and_die(folder, instants);
    const auto left = hk::cache::list_entries(folder);
    REQUIRE(left.has_value());
    for (const auto& entry : *left)
      CHECK(entry.problem.empty());
    CHECK(hk::cache::folder_statistics(folder)->temporary_files <= 1);
    DiskStore store(folder);
    if (const auto entry = store.lookup(sample_key())) {
      ++whole;
      CHECK(entry->payload == sample_payload());
      CHECK(store.publish(sample_key(), sample_metadata(), sample_payload()) == PublishOutcome::already_present);
    } else {
      ++absent;
      CHECK(store.counters().absent == 1);
      CHECK(store.publish(sample_key(), sample_metadata(), sample_payload()) == PublishOutcome::published);
    }
    CHECK(store.lookup(sample_key()).has_value());
  }
  // Both sides of the publishing step were met, and the bytes were cut at several places.
  CHECK(absent > 15);
  CHECK(whole > 2);
}

TEST_SUITE_END();
