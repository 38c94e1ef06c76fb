// Full and read-only file systems, mounted in a mount namespace of this program's own. Exit code 77 (skipped) with the
// reason where that is not allowed.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "unit/base/mounted_memory.h"
#include "unit/cache/heard_warnings.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::PublishOutcome;
using hk::test::HeardWarnings;
using hk::test::MountedMemory;
using hk::test::sample_key;
using hk::test::sample_payload;

namespace {

// Publishes until something is not stored; returns how many entries were.
int fill(DiskStore& store, int limit) {
  for (int i = 0; i < limit; ++i)
    if (store.publish(sample_key(std::to_string(i)), {}, sample_payload()) != PublishOutcome::published)
      return i;
  return limit;
}

void check_full_folder(const MountedMemory& memory, const char* error) {
  const HeardWarnings warnings;
  DiskStore store(memory.path());
  const int stored = fill(store, 1000);
  CHECK(stored > 0);
  CHECK(stored < 1000);
  CHECK(store.publish(sample_key("another"), {}, sample_payload()) == PublishOutcome::not_stored);
  REQUIRE(warnings.texts().size() == 1);
  CHECK_MESSAGE(warnings.texts()[0].find(error) != std::string::npos, warnings.texts()[0]);
  for (int i = 0; i < stored; ++i)
    CHECK(store.lookup(sample_key(std::to_string(i))).has_value());
  CHECK(hk::cache::folder_statistics(memory.path())->temporary_files == 0);
  CHECK(hk::cache::damaged_among(*hk::cache::list_entries(memory.path())).empty());
  // Room again: entries are stored again.
  CHECK(hk::cache::clear_entries(memory.path()).has_value());
  CHECK(store.publish(sample_key("0"), {}, sample_payload()) == PublishOutcome::published);
}

} // namespace

TEST_SUITE_BEGIN("cache.mounted_folders");

TEST_CASE("a file system without free bytes is one warning, and entries that are there stay usable") {
  check_full_folder(MountedMemory("size=128k"), "ENOSPC");
}

TEST_CASE("a file system without free inodes is one warning, and entries that are there stay usable") {
  check_full_folder(MountedMemory("nr_inodes=16"), "ENOSPC");
}

TEST_CASE("from a read-only file system entries are read, and not storing is one warning") {
  MountedMemory memory("size=1m");
  DiskStore(memory.path()).publish(sample_key(), {}, sample_payload());
  memory.change("", MS_RDONLY | MS_NOSUID | MS_NODEV);
  REQUIRE(::open((memory.path() + "/plain").c_str(), O_WRONLY | O_CREAT, 0600) == -1);
  const HeardWarnings warnings;
  DiskStore store(memory.path());
  CHECK(store.lookup(sample_key()).has_value());
  CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::not_stored);
  CHECK(store.publish(sample_key("c"), {}, sample_payload()) == PublishOutcome::not_stored);
  REQUIRE(warnings.texts().size() == 1);
  CHECK(warnings.texts()[0].find("EROFS") != std::string::npos);
}

TEST_SUITE_END();

int main(int count, char** arguments) {
  if (!hk::test::enter_own_mount_namespace()) {
    std::printf("skipped: this program may not mount a tmpfs (%s)\n", std::strerror(errno));
    return 77;
  }
  return doctest::Context(count, arguments).run();
}
