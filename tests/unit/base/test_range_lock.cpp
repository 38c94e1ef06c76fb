#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/range_lock.h"
#include "base/trusted_folder.h"
#include "unit/base/child_process.h"
#include "unit/base/scratch_folder.h"

using hk::base::FileResult;
using hk::base::LockWait;
using hk::base::RangeLock;
using hk::base::wait_for_lock;
using hk::test::ChildProcess;
using hk::test::ScratchFolder;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

bool take(const std::string& path, std::uint64_t offset, RangeLock& lock) {
  auto tried = RangeLock::try_lock(AT_FDCWD, path, offset);
  REQUIRE_MESSAGE(tried.has_value(), tried.error().message);
  if (!*tried)
    return false;
  lock = std::move(**tried);
  return true;
}

bool is_free(const std::string& path, std::uint64_t offset) {
  RangeLock lock;
  return take(path, offset, lock);
}

int error_of(const std::string& path) {
  const auto tried = RangeLock::try_lock(AT_FDCWD, path, 0);
  return tried.has_value() ? 0 : tried.error().number;
}

// The process that has the lock until it is killed.
ChildProcess holder(const std::string& path, std::uint64_t offset) {
  return ChildProcess([&](const std::function<void()>& ready) {
    auto lock = RangeLock::try_lock(AT_FDCWD, path, offset);
    if (!lock || !*lock)
      ::_exit(1);
    ready();
    ::pause();
  });
}

bool never() {
  return false;
}

} // namespace

TEST_SUITE_BEGIN("base.range_lock");

TEST_CASE("a byte has one holder, in this process too; other bytes are free") {
  const ScratchFolder scratch;
  const std::string path = scratch / "locks";
  RangeLock first;
  CHECK_FALSE(first.held());
  REQUIRE(take(path, 7, first));
  CHECK(first.held());
  CHECK_FALSE(is_free(path, 7));
  CHECK(is_free(path, 6));
  CHECK(is_free(path, 8));
  RangeLock moved = std::move(first);
  CHECK_FALSE(first.held()); // NOLINT: moved from, that is the point
  CHECK_FALSE(is_free(path, 7));
  moved.release();
  CHECK_FALSE(moved.held());
  CHECK(is_free(path, 7));
}

TEST_CASE("the first and the last offset can be locked, one beyond cannot, and the file stays empty") {
  const ScratchFolder scratch;
  const std::string path = scratch / "locks";
  RangeLock first;
  RangeLock last;
  CHECK(take(path, 0, first));
  CHECK(take(path, RangeLock::k_max_offset, last));
  const auto beyond = RangeLock::try_lock(AT_FDCWD, path, RangeLock::k_max_offset + 1);
  REQUIRE_FALSE(beyond.has_value());
  CHECK(beyond.error().number == EINVAL);
  struct stat information{};
  REQUIRE(::stat(path.c_str(), &information) == 0);
  CHECK(information.st_size == 0);
}

TEST_CASE("another process holds a byte until it ends; killed, the byte is free at once") {
  const ScratchFolder scratch;
  const std::string path = scratch / "locks";
  ChildProcess child = holder(path, 3);
  CHECK_FALSE(is_free(path, 3));
  CHECK(is_free(path, 4));
  child.end();
  CHECK(is_free(path, 3));
}

TEST_CASE("a forked child does not release its parent's lock, and does not keep what the parent releases") {
  const ScratchFolder scratch;
  const std::string path = scratch / "locks";
  RangeLock lock;
  REQUIRE(take(path, 5, lock));
  {
    const ChildProcess child([&](const std::function<void()>& ready) {
      lock.release(); // what a destructor in the child would do
      ready();
      ::pause();
    });
    CHECK_FALSE(is_free(path, 5));
  }
  CHECK_FALSE(is_free(path, 5));
  const ChildProcess keeps_a_copy([](const std::function<void()>& ready) {
    ready();
    ::pause();
  });
  lock.release();
  CHECK(is_free(path, 5));
}

TEST_CASE("the lock file is 0600 under any umask and stays where it is") {
  for (const mode_t mask : {0000U, 0022U, 0077U, 0777U}) {
    CAPTURE(mask);
    const ScratchFolder scratch;
    const std::string path = scratch / "locks";
    const mode_t before = ::umask(mask);
    const bool free = is_free(path, 1);
    ::umask(before);
    CHECK(free);
    CHECK(hk::test::mode_of(path) == 0600);
    CHECK(hk::test::exists(path));
  }
}

TEST_CASE("a lock file is found beside an open folder, and making one leaves nothing else") {
  const ScratchFolder scratch;
  const auto folder = hk::base::open_own_folder(scratch.path());
  REQUIRE(folder.has_value());
  const auto lock = RangeLock::try_lock(folder->get(), "locks", 9);
  REQUIRE(lock.has_value());
  CHECK(lock->has_value());
  CHECK_FALSE(is_free(scratch / "locks", 9));
  CHECK(::unlink((scratch / "locks").c_str()) == 0);
  CHECK(::rmdir(scratch.path().c_str()) == 0); // it was empty
}

TEST_CASE("a link, a FIFO, a folder, a file that others can write to and a missing folder are refused") {
  const ScratchFolder scratch;
  hk::test::write_text(scratch / "elsewhere", "");
  REQUIRE(::symlink("elsewhere", (scratch / "link").c_str()) == 0);
  REQUIRE(::symlink("nothing", (scratch / "dangling").c_str()) == 0);
  REQUIRE(::mkfifo((scratch / "fifo").c_str(), 0600) == 0);
  REQUIRE(::mkdir((scratch / "folder").c_str(), 0700) == 0);
  hk::test::write_text(scratch / "open", "");
  REQUIRE(::chmod((scratch / "open").c_str(), 0666) == 0);
  CHECK(error_of(scratch / "link") == ELOOP);
  CHECK(error_of(scratch / "dangling") == ELOOP);
  CHECK(error_of(scratch / "fifo") == EINVAL);
  CHECK(error_of(scratch / "folder") == EISDIR);
  CHECK(error_of(scratch / "open") == EPERM);
  CHECK(error_of(scratch / "nowhere/locks") == ENOENT);
  CHECK_FALSE(hk::test::exists(scratch / "nothing"));
}

TEST_CASE("a lock on a file that was removed is no lock on the one that took its place") {
  const ScratchFolder scratch;
  const std::string path = scratch / "locks";
  RangeLock old;
  REQUIRE(take(path, 2, old));
  REQUIRE(::unlink(path.c_str()) == 0);
  RangeLock fresh;
  CHECK(take(path, 2, fresh));
  old.release();
  CHECK_FALSE(is_free(path, 2));
}

TEST_CASE("waiting ends at the deadline, without the lock") {
  const ScratchFolder scratch;
  const ChildProcess child = holder(scratch / "locks", 1);
  const auto start = Clock::now();
  const auto wait = wait_for_lock(AT_FDCWD, scratch / "locks", 1, start + 60ms, never);
  REQUIRE(wait.has_value());
  CHECK(wait->outcome == LockWait::Outcome::timed_out);
  CHECK(wait->waited);
  CHECK_FALSE(wait->lock.held());
  CHECK(Clock::now() - start >= 60ms);
  CHECK(Clock::now() - start < 2s);
}

TEST_CASE("waiting ends when the holder ends, with the lock") {
  const ScratchFolder scratch;
  ChildProcess child = holder(scratch / "locks", 1);
  std::thread killer([&] {
    std::this_thread::sleep_for(30ms);
    child.end();
  });
  const auto wait = wait_for_lock(AT_FDCWD, scratch / "locks", 1, Clock::now() + 10s, never);
  killer.join();
  REQUIRE(wait.has_value());
  CHECK(wait->outcome == LockWait::Outcome::locked);
  CHECK(wait->waited);
  CHECK(wait->lock.held());
  CHECK_FALSE(is_free(scratch / "locks", 1));
}

TEST_CASE("waiting ends when the matter is settled, although the holder lives on") {
  const ScratchFolder scratch;
  const ChildProcess child = holder(scratch / "locks", 1);
  const auto start = Clock::now();
  const auto wait =
      wait_for_lock(AT_FDCWD, scratch / "locks", 1, start + 10s, [&] { return Clock::now() > start + 20ms; });
  REQUIRE(wait.has_value());
  CHECK(wait->outcome == LockWait::Outcome::settled);
  CHECK_FALSE(wait->lock.held());
  CHECK(Clock::now() - start < 2s);
}

TEST_CASE("a free lock is asked once whether the matter is settled, and given back if it is") {
  const ScratchFolder scratch;
  int asked = 0;
  const auto wait = wait_for_lock(AT_FDCWD, scratch / "locks", 1, Clock::now(), [&] { return ++asked > 0; });
  REQUIRE(wait.has_value());
  CHECK(wait->outcome == LockWait::Outcome::settled);
  CHECK_FALSE(wait->waited);
  CHECK(asked == 1);
  CHECK(is_free(scratch / "locks", 1));
}

TEST_CASE("of many threads one holds the lock at a time") {
  const ScratchFolder scratch;
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> entered{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 3; ++round) {
        const auto wait = wait_for_lock(AT_FDCWD, scratch / "locks", 1, Clock::now() + 30s, never);
        if (!wait || wait->outcome != LockWait::Outcome::locked)
          return;
        most = std::max(most.load(), ++inside);
        ++entered;
        std::this_thread::yield();
        --inside;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(entered == 24);
  CHECK(most == 1);
}

TEST_SUITE_END();
