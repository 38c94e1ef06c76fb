// Full and read-only file systems, mounted in a mount namespace of this program's own. Exit code 77 (skipped) with the
// reason where that is not allowed.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/heard_warnings.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::PublishOutcome;
using hk::test::HeardWarnings;
using hk::test::sample_key;
using hk::test::sample_payload;
using hk::test::ScratchFolder;

namespace {

class MountedMemory {
 public:
  explicit MountedMemory(const std::string& options) {
    const std::string all = "mode=0700," + options;
    REQUIRE(::mount("tmpfs", m_scratch.path().c_str(), "tmpfs", MS_NOSUID | MS_NODEV, all.c_str()) == 0);
  }
  MountedMemory(const MountedMemory&) = delete;
  MountedMemory& operator=(const MountedMemory&) = delete;
  ~MountedMemory() { ::umount2(m_scratch.path().c_str(), MNT_DETACH); }

  [[nodiscard]] const std::string& path() const { return m_scratch.path(); }
  void make_read_only() const {
    REQUIRE(::mount("", path().c_str(), "", MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, "") == 0);
  }

 private:
  ScratchFolder m_scratch;
};

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

bool write_line(const char* path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  return file.good();
}

bool enter_own_mount_namespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_line("/proc/self/setgroups", "deny") ||
        !write_line("/proc/self/uid_map", "0 " + std::to_string(user) + " 1") ||
        !write_line("/proc/self/gid_map", "0 " + std::to_string(group) + " 1"))
      return false;
  }
  // Inside a chroot the root folder is no mount point; mounts are then private already or vanish with the scratch
  // folder.
  (void)::mount("", "/", "", MS_REC | MS_PRIVATE, nullptr);
  char folder[] = "/tmp/hk-test-XXXXXX";
  if (::mkdtemp(folder) == nullptr)
    return false;
  const bool mounted = ::mount("tmpfs", folder, "tmpfs", 0, "size=4k") == 0;
  const int reason = errno;
  if (mounted)
    ::umount2(folder, MNT_DETACH);
  ::rmdir(folder);
  errno = reason;
  return mounted;
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
  const MountedMemory memory("size=1m");
  DiskStore(memory.path()).publish(sample_key(), {}, sample_payload());
  memory.make_read_only();
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
  if (!enter_own_mount_namespace()) {
    std::printf("skipped: this program may not mount a tmpfs (%s)\n", std::strerror(errno));
    return 77;
  }
  return doctest::Context(count, arguments).run();
}
