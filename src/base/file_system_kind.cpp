#include "base/file_system_kind.h"

#include <sys/statfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

namespace hk::base {
namespace {

// Magic numbers of statfs(2), linux/magic.h and, where the kernel tree has none, the file system's own sources.
constexpr std::array<std::uint32_t, 18> k_network_types = {
    0x00006969, // NFS
    0x0000517b, // SMB
    0xff534d42, // CIFS
    0xfe534d42, // SMB2
    0x0000564c, // NCP
    0x73757245, // Coda
    0x5346414f, // AFS (kernel)
    0x6b414653, // AFS (kAFS, older)
    0x01021997, // 9P
    0x65735546, // FUSE
    0x00c36400, // Ceph
    0x0bd00bd0, // Lustre
    0x47504653, // GPFS
    0x01161970, // GFS2
    0x7461636f, // OCFS2
    0x19830326, // BeeGFS
    0xaad7aaea, // PanFS
    0x20030528, // OrangeFS
};

} // namespace

FileSystemKind classify_file_system(long type) noexcept {
  // f_type is signed on some ABIs, so CIFS's number may come sign-extended.
  const auto magic = static_cast<std::uint32_t>(type);
  return std::find(k_network_types.begin(), k_network_types.end(), magic) != k_network_types.end()
             ? FileSystemKind::network
             : FileSystemKind::local;
}

FileResult<FileSystemKind> file_system_kind(const std::string& path) {
  std::string probe = path.empty() ? "." : path;
  while (true) {
    struct statfs information{};
    if (::statfs(probe.c_str(), &information) == 0)
      return classify_file_system(static_cast<long>(information.f_type));
    if (errno != ENOENT)
      return file_failure("statfs", probe);
    const std::size_t slash = probe.find_last_of('/');
    if (slash == std::string::npos || probe == "/")
      return file_failure("statfs", path, ENOENT);
    probe = slash == 0 ? "/" : probe.substr(0, slash);
  }
}

} // namespace hk::base
