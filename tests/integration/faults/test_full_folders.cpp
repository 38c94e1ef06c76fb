// A cache folder and a TMPDIR without room, mounted in a mount namespace of this program's own. Exit code 77 (skipped)
// with the reason where that is not allowed.

#define DOCTEST_CONFIG_IMPLEMENT
#include "surroundings.h"

#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cache_entry.h"
#include "heard_log.h"

using namespace hk;
using namespace hk::test;

namespace {

class MountedMemory {
 public:
  explicit MountedMemory(const std::string& options) : m_scratch("/tmp") {
    const std::string all = "mode=0700," + options;
    REQUIRE(::mount("tmpfs", m_scratch.path().c_str(), "tmpfs", MS_NOSUID | MS_NODEV, all.c_str()) == 0);
  }
  MountedMemory(const MountedMemory&) = delete;
  MountedMemory& operator=(const MountedMemory&) = delete;
  ~MountedMemory() { ::umount2(m_scratch.path().c_str(), MNT_DETACH); }

  [[nodiscard]] const std::string& path() const { return m_scratch.path(); }

 private:
  ScratchFolder m_scratch;
};

bool write_line(const char* path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  return file.good();
}

// Leaves the reason in errno.
bool enter_own_mount_namespace() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_line("/proc/self/setgroups", "deny") ||
        !write_line("/proc/self/uid_map", "0 " + std::to_string(user) + " 1") ||
        !write_line("/proc/self/gid_map", "0 " + std::to_string(group) + " 1"))
      return false;
  }
  // Fails in a chroot, whose root is no mount point; the mounts then vanish with their folders.
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

void check_full_cache(const char* options) {
  CAPTURE(std::string(options));
  const Census census;
  const MountedMemory memory(options);
  const HeardLog log;
  {
    const Context context = open_in({.cache = memory.path()});
    SmallCall(context).expect_right();
    SmallCall(context).expect_right(); // from memory
    CHECK(context.statistics().compiles == 1);
  }
  REQUIRE(log.texts().size() == 1);
  CHECK(log.texts()[0].find(memory.path()) != std::string::npos);
  CHECK(log.texts()[0].find("ENOSPC") != std::string::npos);
  CHECK(log.texts()[0].find("free space or set HK_CACHE_DIR") != std::string::npos);
  CHECK(entries_below(memory.path()).empty());
  CHECK(temporary_files_below(memory.path()) == 0);
  CHECK(all_sound(memory.path()));
}

} // namespace

TEST_SUITE_BEGIN("full_folders");

TEST_CASE("full folders: a cache without room for an entry is one warning and a right result") {
  check_full_cache("size=8k");
}

TEST_CASE("full folders: a cache without inodes is one warning and a right result") {
  check_full_cache("nr_inodes=3");
}

TEST_CASE("full folders: a full TMPDIR is named with its remedy, and room there ends the trouble") {
  for (const char* options : {"size=8k", "nr_inodes=3"}) {
    CAPTURE(std::string(options));
    const Census census;
    const MountedMemory memory(options);
    {
      const Environment variable("TMPDIR", memory.path());
      const Context context = open_in({});
      SmallCall call(context);
      const hk_status status = hk_attention(context.get(), &call.args(), nullptr, 0, nullptr);
      CHECK((status == HK_STATUS_COMPILE_FAILED || status == HK_STATUS_COMPILER_CRASHED));
      check_sentence({memory.path(), "full", "set TMPDIR to another folder"});
      call.check_untouched();
      REQUIRE(::mount("", memory.path().c_str(), "", MS_REMOUNT, "size=64m,nr_inodes=1000") == 0);
      call.expect_right();
    }
    CHECK(std::filesystem::is_empty(memory.path()));
  }
}

TEST_SUITE_END();

int main(int count, char** arguments) {
  if (!enter_own_mount_namespace()) {
    std::printf("skipped: this program may not mount a tmpfs (%s)\n", std::strerror(errno));
    return 77;
  }
  return doctest::Context(count, arguments).run();
}
