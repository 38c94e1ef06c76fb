#pragma once
// File systems in memory with a limit, mounted in a mount namespace of the test's own.

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "unit/base/scratch_folder.h"

namespace hk::test {

class MountedMemory {
 public:
  // options: of tmpfs, e.g. "size=8k"; flags: as of mount(2)
  explicit MountedMemory(const std::string& options, unsigned long flags = MS_NOSUID | MS_NODEV) : m_scratch("/tmp") {
    const std::string all = "mode=0700," + options;
    REQUIRE(::mount("tmpfs", m_scratch.path().c_str(), "tmpfs", flags, all.c_str()) == 0);
  }
  MountedMemory(const MountedMemory&) = delete;
  MountedMemory& operator=(const MountedMemory&) = delete;
  ~MountedMemory() { ::umount2(m_scratch.path().c_str(), MNT_DETACH); }

  [[nodiscard]] const std::string& path() const { return m_scratch.path(); }
  // Other options or flags from now on.
  void change(const std::string& options, unsigned long flags = 0) {
    REQUIRE(::mount("", path().c_str(), "", MS_REMOUNT | flags, options.c_str()) == 0);
  }

 private:
  ScratchFolder m_scratch;
};

inline bool write_line(const char* path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  return file.good();
}

// For this process and its children. Leaves the reason in errno.
inline bool enter_own_mount_namespace() {
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

} // namespace hk::test
