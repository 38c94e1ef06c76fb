#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <limits>
#include <string>

#include "base/temporary_file.h"
#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "cache/kept_failures.h"
#include "cache/layout.h"
#include "cache/memory_store.h"
#include "unit/base/child_process.h"
#include "unit/base/file_privileges.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/heard_warnings.h"
#include "unit/cache/sample_entries.h"

using hk::Status;
using hk::StatusCode;
using hk::cache::DiskStore;
using hk::cache::encode_failure;
using hk::cache::failure_of;
using hk::cache::KeptFailures;
using hk::cache::PublishOutcome;
using hk::test::sample_key;
using hk::test::sample_payload;
using hk::test::ScratchFolder;
using namespace std::chrono_literals;

namespace {

const Status k_failure(StatusCode::compile_failed, "kernel.hip does not compile", "kernel.hip:3: error: no such type");

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

struct Folder {
  ScratchFolder scratch;
  std::string path = scratch / "cache";
  std::string file = path + "/" + hk::cache::entry_folder(sample_key()) + "/" + hk::cache::failure_file(sample_key());

  void put(const hk::base::Bytes& bytes) const {
    const auto folder = hk::cache::make_entry_folder(path, sample_key());
    REQUIRE(folder.has_value());
    auto file = hk::base::TemporaryFile::create(folder->get(), path, 0600);
    REQUIRE(file.has_value());
    REQUIRE(file->write(bytes).has_value());
    REQUIRE(file->publish_replacing(hk::cache::failure_file(sample_key())).has_value());
  }
};

void check_same(const std::optional<Status>& found) {
  REQUIRE(found.has_value());
  CHECK(found->code == k_failure.code);
  CHECK(found->message == k_failure.message);
  CHECK(found->detail == k_failure.detail);
}

} // namespace

TEST_SUITE_BEGIN("cache.kept_failures");

TEST_CASE("a failure is found again with code, message and detail, by another process too") {
  const Folder folder;
  DiskStore store(folder.path);
  CHECK_FALSE(store.kept_failure(sample_key()).has_value());
  CHECK_FALSE(hk::test::exists(folder.path)); // asking makes nothing
  store.keep_failure(sample_key(), k_failure);
  check_same(store.kept_failure(sample_key()));
  check_same(DiskStore(folder.path).kept_failure(sample_key()));
  const auto children = hk::test::start_together(1, [&](int) {
    const auto found = DiskStore(folder.path).kept_failure(sample_key());
    return found && found->detail == k_failure.detail ? 0 : 1;
  });
  CHECK(hk::test::exit_code(children[0]) == 0);
  CHECK_FALSE(store.kept_failure(sample_key("other")).has_value());
  CHECK(hk::test::mode_of(folder.file) == 0600);
}

TEST_CASE("a failure is no entry") {
  const Folder folder;
  DiskStore store(folder.path);
  store.keep_failure(sample_key(), k_failure);
  CHECK_FALSE(store.contains(sample_key()));
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.counters().absent == 1);
  CHECK(hk::cache::list_entries(folder.path)->empty());
}

TEST_CASE("a later failure replaces an earlier one, and a published entry ends it") {
  const Folder folder;
  DiskStore store(folder.path);
  store.keep_failure(sample_key(), Status(StatusCode::compiler_crashed, "first"));
  store.keep_failure(sample_key(), k_failure);
  check_same(store.kept_failure(sample_key()));
  CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  CHECK_FALSE(store.kept_failure(sample_key()).has_value());
  CHECK_FALSE(hk::test::exists(folder.file));
}

TEST_CASE("a failure counts for less than a minute, and not at all if it is from the future") {
  const auto entry = hk::cache::decode_entry(encode_failure(sample_key(), k_failure, 1000));
  REQUIRE(entry.has_value());
  CHECK(failure_of(*entry, 1000).has_value());
  CHECK(failure_of(*entry, 1059).has_value());
  CHECK_FALSE(failure_of(*entry, 1060).has_value());
  CHECK_FALSE(failure_of(*entry, 1000 + (std::int64_t{1} << 40)).has_value());
  CHECK_FALSE(failure_of(*entry, 999).has_value());
  CHECK_FALSE(failure_of(*entry, 0).has_value());
}

TEST_CASE("a failure file too old, or from a clock that was ahead, is removed when it is met") {
  for (const std::int64_t age : {std::int64_t{61}, std::int64_t{-30}, std::int64_t{-86400 * 365}}) {
    CAPTURE(age);
    const Folder folder;
    folder.put(encode_failure(sample_key(), k_failure, seconds_now() - age));
    DiskStore store(folder.path);
    CHECK_FALSE(store.kept_failure(sample_key()).has_value());
    CHECK_FALSE(hk::test::exists(folder.file));
  }
  const Folder folder;
  folder.put(encode_failure(sample_key(), k_failure, seconds_now() - 20));
  check_same(DiskStore(folder.path).kept_failure(sample_key()));
}

TEST_CASE("texts that no failure has are none: no code, success, an unknown code, rubbish, extreme times") {
  using hk::cache::Metadata;
  const Metadata good = {{"failure_code", "7"}, {"failure_message", "m"}, {"created", "1000"}};
  const auto with = [&](const char* name, const char* value) {
    Metadata changed = good;
    changed[name] = value;
    return hk::cache::Entry{sample_key(), changed, {}};
  };
  CHECK(failure_of(with("created", "1000"), 1000).has_value());
  for (const char* code : {"", "0", "-1", "18", "7x", "99999999999999999999999"})
    CHECK_FALSE(failure_of(with("failure_code", code), 1000).has_value());
  for (const char* created : {"", "x", "9223372036854775807", "-9223372036854775808", "99999999999999999999"})
    CHECK_FALSE(failure_of(with("created", created), 1000).has_value());
  CHECK_FALSE(failure_of({sample_key(), {{"failure_code", "7"}, {"created", "1000"}}, {}}, 1000).has_value());
  CHECK_FALSE(failure_of({sample_key(), {}, {}}, 1000).has_value());
}

TEST_CASE("a damaged failure file, and that of another key, is none and is removed, without a warning") {
  const hk::test::HeardWarnings warnings;
  for (const std::string kind : {"cut", "flipped", "other key", "link"}) {
    CAPTURE(kind);
    const Folder folder;
    auto bytes = encode_failure(kind == "other key" ? sample_key("b") : sample_key(), k_failure, seconds_now());
    if (kind == "cut")
      bytes.resize(bytes.size() / 2);
    if (kind == "flipped")
      bytes[70] ^= std::byte{1};
    folder.put(bytes);
    if (kind == "link") {
      REQUIRE(::rename(folder.file.c_str(), (folder.scratch / "elsewhere").c_str()) == 0);
      REQUIRE(::symlink((folder.scratch / "elsewhere").c_str(), folder.file.c_str()) == 0);
    }
    CHECK_FALSE(DiskStore(folder.path).kept_failure(sample_key()).has_value());
    CHECK_FALSE(hk::test::exists(folder.file));
  }
  CHECK(warnings.texts().empty());
}

TEST_CASE("where the folder cannot be written to, the process remembers its failures itself") {
  const Folder folder;
  REQUIRE(::mkdir(folder.path.c_str(), 0500) == 0);
  const hk::test::WithoutFilePrivileges plain_user;
  DiskStore store(folder.path);
  store.keep_failure(sample_key(), k_failure);
  check_same(store.kept_failure(sample_key()));
  CHECK_FALSE(hk::test::exists(folder.file));
  CHECK_FALSE(DiskStore(folder.path).kept_failure(sample_key()).has_value());
}

TEST_CASE("a memory store keeps failures for itself") {
  hk::cache::MemoryStore store;
  CHECK_FALSE(store.kept_failure(sample_key()).has_value());
  store.keep_failure(sample_key(), k_failure);
  check_same(store.kept_failure(sample_key()));
  CHECK_FALSE(store.contains(sample_key()));
}

TEST_CASE("a process's own failures end after a minute of its steady clock, and are bounded in number") {
  KeptFailures failures;
  const auto start = KeptFailures::Clock::now();
  failures.keep(sample_key(), k_failure, start);
  CHECK(failures.find(sample_key(), start + 59s).has_value());
  CHECK_FALSE(failures.find(sample_key(), start + 60s).has_value());
  for (int i = 0; i < 1030; ++i)
    failures.keep(sample_key(std::to_string(i)), k_failure, start + std::chrono::milliseconds(i));
  CHECK_FALSE(failures.find(sample_key("0"), start + 2s).has_value());
  CHECK_FALSE(failures.find(sample_key("5"), start + 2s).has_value());
  CHECK(failures.find(sample_key("6"), start + 2s).has_value());
  CHECK(failures.find(sample_key("1029"), start + 2s).has_value());
}

TEST_SUITE_END();
