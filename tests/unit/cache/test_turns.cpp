// Turns: one process of the machine builds, the others learn of it, and nobody waits for the dead.

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "cache/layout.h"
#include "cache/memory_store.h"
#include "cache/turns.h"
#include "unit/base/child_process.h"
#include "unit/base/file_privileges.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/intercepted_calls.h"
#include "unit/cache/sample_entries.h"

using hk::base::Digest128;
using hk::cache::DiskStore;
using hk::cache::lock_offset;
using hk::cache::MemoryStore;
using hk::cache::Turn;
using hk::cache::TurnOf;
using hk::test::ChildProcess;
using hk::test::sample_key;
using hk::test::sample_payload;
using hk::test::ScratchFolder;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

constexpr Digest128 k_matter{1, 42};

bool never() {
  return false;
}

Turn try_turn(const std::string& folder, TurnOf what = TurnOf::build, Digest128 of = k_matter) {
  return DiskStore(folder).wait_for_turn(what, of, Clock::now(), never);
}

// A process that has the turn until it is killed.
ChildProcess builder(const std::string& folder) {
  return ChildProcess([&](const std::function<void()>& ready) {
    const Turn turn = try_turn(folder);
    if (turn.kind == Turn::Kind::ours)
      ready();
    ::pause();
  });
}

} // namespace

TEST_SUITE_BEGIN("cache.turns");

TEST_CASE("builds, tuner runs and the evictor never share a byte") {
  constexpr std::uint64_t k_all = ~std::uint64_t{0};
  std::set<std::uint64_t> offsets = {hk::cache::k_evictor_offset};
  for (const std::uint64_t low : {std::uint64_t{0}, std::uint64_t{1}, k_all / 4, k_all / 4 - 1})
    for (const TurnOf what : {TurnOf::build, TurnOf::tuning}) {
      const std::uint64_t offset = lock_offset(what, {7, low});
      CHECK(offset <= hk::base::RangeLock::k_max_offset);
      CHECK((offset >= std::uint64_t{1} << 62) == (what == TurnOf::tuning));
      offsets.insert(offset);
    }
  CHECK(offsets.size() >= 8); // the last two of the upper half share one
  CHECK(lock_offset(TurnOf::build, {1, k_all}) == lock_offset(TurnOf::build, {2, k_all}));
}

TEST_CASE("with nobody else at it, the turn is ours in less than a millisecond") {
  const ScratchFolder scratch;
  DiskStore store(scratch / "cache");
  auto shortest = Clock::duration::max();
  for (int i = 0; i < 20; ++i) {
    const auto start = Clock::now();
    const Turn turn = store.wait_for_turn(TurnOf::build, k_matter, start + 1s, never);
    shortest = std::min(shortest, Clock::now() - start);
    CHECK(turn.kind == Turn::Kind::ours);
    CHECK(turn.lock.held());
    CHECK_FALSE(turn.waited);
  }
  CHECK(shortest < 1ms);
}

TEST_CASE("a turn excludes the same matter only: another digest and another kind of turn are free") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  const Turn turn = try_turn(folder);
  REQUIRE(turn.kind == Turn::Kind::ours);
  CHECK(try_turn(folder).kind == Turn::Kind::timed_out);
  CHECK(try_turn(folder, TurnOf::tuning).kind == Turn::Kind::ours);
  CHECK(try_turn(folder, TurnOf::build, {1, 43}).kind == Turn::Kind::ours);
  CHECK(try_turn(scratch / "other").kind == Turn::Kind::ours);
}

TEST_CASE("while another process is at it the wait ends at its deadline") {
  const ScratchFolder scratch;
  const ChildProcess other = builder(scratch / "cache");
  const auto start = Clock::now();
  const Turn turn = DiskStore(scratch / "cache").wait_for_turn(TurnOf::build, k_matter, start + 50ms, never);
  CHECK(turn.kind == Turn::Kind::timed_out);
  CHECK(turn.waited);
  CHECK_FALSE(turn.lock.held());
  CHECK(Clock::now() - start >= 50ms);
}

TEST_CASE("when the process that is at it is killed the next one takes over") {
  const ScratchFolder scratch;
  ChildProcess other = builder(scratch / "cache");
  std::thread killer([&] {
    std::this_thread::sleep_for(20ms);
    other.end();
  });
  const Turn turn = DiskStore(scratch / "cache").wait_for_turn(TurnOf::build, k_matter, Clock::now() + 20s, never);
  killer.join();
  CHECK(turn.kind == Turn::Kind::ours);
  CHECK(turn.waited);
}

TEST_CASE("a published entry ends the wait, although the process that made it hangs") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  const ChildProcess other([&](const std::function<void()>& ready) {
    const Turn turn = try_turn(folder);
    ready();
    std::this_thread::sleep_for(30ms);
    DiskStore(folder).publish(sample_key(), {}, sample_payload());
    ::pause();
  });
  DiskStore store(folder);
  CHECK_FALSE(store.contains(sample_key()));
  const auto start = Clock::now();
  const Turn turn =
      store.wait_for_turn(TurnOf::build, k_matter, start + 20s, [&] { return store.contains(sample_key()); });
  CHECK(turn.kind == Turn::Kind::settled);
  CHECK(turn.waited);
  CHECK(Clock::now() - start < 5s);
  CHECK(store.counters().misses() == 0); // contains() counts nothing
  CHECK(store.lookup(sample_key()).has_value());
}

TEST_CASE("an entry published between the lookup and the turn is noticed before the turn is used") {
  const ScratchFolder scratch;
  DiskStore store(scratch / "cache");
  store.publish(sample_key(), {}, sample_payload());
  const Turn turn =
      store.wait_for_turn(TurnOf::build, k_matter, Clock::now(), [&] { return store.contains(sample_key()); });
  CHECK(turn.kind == Turn::Kind::settled);
  CHECK(try_turn(scratch / "cache").kind == Turn::Kind::ours);
}

TEST_CASE("there are no turns in a network folder and in memory, and nothing is made") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  DiskStore network(folder, {.network = true});
  MemoryStore memory;
  for (hk::cache::Store* store : {static_cast<hk::cache::Store*>(&network), static_cast<hk::cache::Store*>(&memory)}) {
    const Turn turn = store->wait_for_turn(TurnOf::build, k_matter, Clock::now() + 10s, never);
    CHECK(turn.kind == Turn::Kind::unlocked);
    CHECK_FALSE(turn.lock.held());
  }
  CHECK_FALSE(hk::test::exists(folder));
}

TEST_CASE("where locks fail there are no turns, at once") {
  const ScratchFolder scratch;
  for (const int error : {ENOLCK, EIO, ENOSYS, EINVAL, EDEADLK}) {
    CAPTURE(error);
    const hk::test::InterceptedCalls calls(
        [&](hk::test::SystemCall call) { return call == hk::test::SystemCall::lock ? error : 0; });
    CHECK(try_turn(scratch / "cache").kind == Turn::Kind::unlocked);
  }
}

TEST_CASE("after a publish that failed there are no turns, until one succeeds") {
  const ScratchFolder scratch;
  DiskStore store(scratch / "cache");
  const auto kind = [&] { return store.wait_for_turn(TurnOf::build, k_matter, Clock::now(), never).kind; };
  CHECK(kind() == Turn::Kind::ours);
  {
    const hk::test::InterceptedCalls calls(
        [](hk::test::SystemCall call) { return call == hk::test::SystemCall::write ? ENOSPC : 0; });
    CHECK(store.publish(sample_key(), {}, sample_payload()) == hk::cache::PublishOutcome::not_stored);
  }
  CHECK(kind() == Turn::Kind::unlocked);
  CHECK(store.publish(sample_key(), {}, sample_payload()) == hk::cache::PublishOutcome::published);
  CHECK(kind() == Turn::Kind::ours);
}

TEST_CASE("a lock file that is removed between opening and locking it is locked anew") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  REQUIRE(try_turn(folder).kind == Turn::Kind::ours); // makes the lock file
  for (const int removals : {1, 1000}) {
    Turn turn;
    {
      const hk::test::InterceptedCalls calls([&, left = removals](hk::test::SystemCall call) mutable {
        if (call == hk::test::SystemCall::lock && left-- > 0)
          ::unlink((folder + "/v1/locks").c_str());
        return 0;
      });
      turn = try_turn(folder);
    }
    CHECK(turn.kind == (removals == 1 ? Turn::Kind::ours : Turn::Kind::unlocked));
    CHECK(try_turn(folder).kind == (removals == 1 ? Turn::Kind::timed_out : Turn::Kind::ours));
  }
}

TEST_CASE("in a folder that cannot be written to, and one of others, there are no turns") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  REQUIRE(::mkdir(folder.c_str(), 0700) == 0);
  REQUIRE(::chmod(folder.c_str(), 0500) == 0);
  {
    const hk::test::WithoutFilePrivileges plain_user;
    CHECK(try_turn(folder).kind == Turn::Kind::unlocked);
  }
  REQUIRE(::chmod(folder.c_str(), 0777) == 0);
  CHECK(try_turn(folder).kind == Turn::Kind::unlocked);
  REQUIRE(::chmod(folder.c_str(), 0700) == 0);
  CHECK(try_turn(folder).kind == Turn::Kind::ours);
}

TEST_CASE("a link in place of the lock file is not followed") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  REQUIRE(hk::cache::make_format_folder(folder).has_value());
  REQUIRE(::symlink((scratch / "elsewhere").c_str(), (folder + "/v1/locks").c_str()) == 0);
  CHECK(try_turn(folder).kind == Turn::Kind::unlocked);
  CHECK_FALSE(hk::test::exists(scratch / "elsewhere"));
}

TEST_CASE("of 200 processes that want one entry one builds it, and the others go on together") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  enum { built = 1, found = 2, lost = 3 };
  const auto start = Clock::now();
  const auto children = hk::test::start_together(200, [&](int) -> int {
    DiskStore store(folder);
    if (store.lookup(sample_key()))
      return found;
    const Turn turn = store.wait_for_turn(TurnOf::build, sample_key().request, Clock::now() + 60s,
                                          [&] { return store.contains(sample_key()); });
    if (turn.kind == Turn::Kind::settled)
      return store.lookup(sample_key()) ? found : lost;
    if (turn.kind != Turn::Kind::ours)
      return lost;
    std::this_thread::sleep_for(100ms);
    store.publish(sample_key(), {}, sample_payload());
    return built;
  });
  int count_built = 0;
  int count_found = 0;
  for (const pid_t child : children) {
    const int code = hk::test::exit_code(child);
    count_built += code == built ? 1 : 0;
    count_found += code == found ? 1 : 0;
  }
  CHECK(count_built == 1);
  CHECK(count_found == 199);
  MESSAGE("200 processes took " << std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count()
                                << " ms, of which the build 100");
  // Most of it is starting 200 processes; whoever waited for its deadline would have been counted as lost.
  CHECK(Clock::now() - start < 60s);
  CHECK(try_turn(folder, TurnOf::build, sample_key().request).kind == Turn::Kind::ours);
  CHECK(hk::cache::folder_statistics(folder)->temporary_files == 0);
}

TEST_SUITE_END();
