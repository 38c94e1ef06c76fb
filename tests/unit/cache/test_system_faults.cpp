// What file systems do to a cache: errors, short transfers and lost answers of single system calls.

#include <doctest/doctest.h>

#include <cerrno>
#include <string>

#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "cache/layout.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/heard_warnings.h"
#include "unit/cache/intercepted_calls.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::PublishOutcome;
using hk::test::HeardWarnings;
using hk::test::InterceptedCalls;
using hk::test::sample_key;
using hk::test::sample_payload;
using hk::test::ScratchFolder;
using hk::test::SystemCall;

namespace {

// The given call fails from its n-th use (0 = first) on; all others happen.
InterceptedCalls::Filter failing(SystemCall call, int error, int from = 0) {
  return [=, used = 0](SystemCall asked) mutable { return asked == call && used++ >= from ? error : 0; };
}

struct PublishedEntry {
  ScratchFolder scratch;
  std::string folder = scratch / "cache";
  std::string file = folder + "/" + hk::cache::entry_folder(sample_key()) + "/" + hk::cache::entry_file(sample_key());

  PublishedEntry() {
    DiskStore store(folder);
    REQUIRE(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  }
};

std::uint64_t temporary_files(const std::string& folder) {
  return hk::cache::folder_statistics(folder)->temporary_files;
}

} // namespace

TEST_SUITE_BEGIN("cache.system_faults");

TEST_CASE("ESTALE, EIO and EACCES on an entry are misses that remove nothing") {
  const PublishedEntry entry;
  for (const int error : {ESTALE, EIO, EACCES, ENFILE}) {
    for (const auto& [call, from] : {std::pair(SystemCall::open, 0), std::pair(SystemCall::open, 1),
                                     std::pair(SystemCall::read, 0), std::pair(SystemCall::read, 1)}) {
      CAPTURE(error);
      DiskStore store(entry.folder);
      const HeardWarnings warnings;
      {
        InterceptedCalls calls(failing(call, error, from));
        calls.largest_transfer = 1000; // so that there is a second read
        CHECK_FALSE(store.lookup(sample_key()).has_value());
      }
      CHECK(store.counters().unreadable == 1);
      CHECK(warnings.texts().size() == 1);
      CHECK(store.lookup(sample_key()).has_value());
    }
  }
}

TEST_CASE("ENOENT at any time is a plain miss without a warning") {
  const PublishedEntry entry;
  DiskStore store(entry.folder);
  const HeardWarnings warnings;
  {
    const InterceptedCalls calls(failing(SystemCall::open, ENOENT, 1));
    CHECK_FALSE(store.lookup(sample_key()).has_value());
  }
  CHECK(store.counters().absent == 1);
  CHECK(warnings.texts().empty());
}

TEST_CASE("reads of few bytes and interrupted calls are gone on with") {
  const PublishedEntry entry;
  DiskStore store(entry.folder);
  int asked = 0;
  InterceptedCalls calls([&](SystemCall) { return asked++ % 2 == 0 ? EINTR : 0; });
  calls.largest_transfer = 7;
  CHECK(store.lookup(sample_key()).has_value());
}

TEST_CASE("an end of file before the size that the file has is a miss that removes nothing") {
  const PublishedEntry entry;
  DiskStore store(entry.folder);
  {
    int reads = 0;
    InterceptedCalls* active = nullptr;
    InterceptedCalls calls([&](SystemCall call) {
      if (call == SystemCall::read && ++reads == 2)
        active->largest_transfer = 0;
      return 0;
    });
    active = &calls;
    calls.largest_transfer = 500;
    CHECK_FALSE(store.lookup(sample_key()).has_value());
    CHECK(reads == 2);
  }
  CHECK(store.counters().unreadable == 1);
  CHECK(store.lookup(sample_key()).has_value());
}

TEST_CASE("a full disk, a quota and a broken disk leave no entry, no temporary file, and one warning") {
  for (const int error : {ENOSPC, EDQUOT, EIO, EROFS}) {
    for (const auto& [call, from] :
         {std::pair(SystemCall::write, 0), std::pair(SystemCall::write, 2), std::pair(SystemCall::sync, 0),
          std::pair(SystemCall::link, 0), std::pair(SystemCall::change_mode, 0)}) {
      CAPTURE(error);
      CAPTURE(static_cast<int>(call));
      const PublishedEntry other; // the folders are there
      DiskStore store(other.folder);
      const HeardWarnings warnings;
      // Lies in the same folder as the other entry only by chance, so its folder is made first.
      REQUIRE(hk::cache::make_entry_folder(other.folder, sample_key("b")).has_value());
      {
        InterceptedCalls calls(failing(call, error, from));
        calls.largest_transfer = 1000;
        CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::not_stored);
        CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::not_stored);
      }
      CHECK(warnings.texts().size() == 1);
      CHECK(temporary_files(other.folder) == 0);
      CHECK(hk::cache::list_entries(other.folder)->size() == 1);
      CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::published);
      CHECK(store.lookup(sample_key("b")).has_value());
    }
  }
}

TEST_CASE("folders that cannot be made are one warning") {
  const ScratchFolder scratch;
  DiskStore store(scratch / "cache");
  const HeardWarnings warnings;
  for (int from = 0; from < 4; ++from) {
    const InterceptedCalls calls(failing(SystemCall::make_folder, EDQUOT, from == 0 ? 0 : 1));
    CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::not_stored);
  }
  CHECK(warnings.texts().size() == 1);
}

TEST_CASE("without hard links the entry is renamed into place") {
  for (const int error : {EPERM, EOPNOTSUPP, ENOSYS, EMLINK}) {
    const ScratchFolder scratch;
    DiskStore store(scratch / "cache");
    {
      const InterceptedCalls calls(failing(SystemCall::link, error));
      CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
    }
    CHECK(store.lookup(sample_key()).has_value());
    CHECK(temporary_files(scratch / "cache") == 0);
  }
}

TEST_CASE("a link that happened although the file system says EEXIST is a published entry") {
  const PublishedEntry other;
  DiskStore store(other.folder);
  {
    const InterceptedCalls calls(failing(SystemCall::link, -EEXIST));
    CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::published);
  }
  CHECK(store.lookup(sample_key("b")).has_value());
  CHECK(temporary_files(other.folder) == 0);
}

TEST_CASE("a file system that cannot sync folders stores entries all the same") {
  const PublishedEntry other;
  DiskStore store(other.folder);
  REQUIRE(hk::cache::make_entry_folder(other.folder, sample_key("b")).has_value());
  const InterceptedCalls calls(failing(SystemCall::sync, EINVAL, 1));
  CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::published);
}

TEST_CASE("a damaged entry that cannot be removed is still a miss, and a publish replaces it") {
  const PublishedEntry entry;
  hk::test::write_text(entry.file, "rubbish");
  DiskStore store(entry.folder);
  {
    const InterceptedCalls calls(failing(SystemCall::unlink, EACCES));
    CHECK_FALSE(store.lookup(sample_key()).has_value());
  }
  CHECK(hk::test::read_text(entry.file) == "rubbish");
  CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  CHECK(store.lookup(sample_key()).has_value());
}

TEST_CASE("a damaged entry that a writer has replaced meanwhile is not removed") {
  const PublishedEntry entry;
  const std::string sound = hk::test::read_text(entry.file);
  hk::test::write_text(entry.file, "rubbish");
  hk::test::write_text(entry.folder + "/new", sound);
  DiskStore store(entry.folder);
  {
    bool replaced = false;
    const InterceptedCalls calls([&](SystemCall call) {
      if (call == SystemCall::read && !replaced) {
        replaced = true;
        REQUIRE(::rename((entry.folder + "/new").c_str(), entry.file.c_str()) == 0);
      }
      return 0;
    });
    CHECK_FALSE(store.lookup(sample_key()).has_value());
  }
  CHECK(hk::test::read_text(entry.file) == sound);
}

TEST_SUITE_END();
