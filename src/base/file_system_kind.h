#pragma once
// Whether a folder lies on a local or a network file system: locks and link counts can be trusted on the first only.

#include <string>

#include "base/files.h"

namespace hk::base {

enum class FileSystemKind { local, network };

// From statfs's f_type. FUSE counts as network: sshfs, GlusterFS and many cluster mounts are FUSE, and nothing tells
// them from a local one.
FileSystemKind classify_file_system(long type) noexcept;

// Of the nearest existing ancestor if the path itself does not exist.
FileResult<FileSystemKind> file_system_kind(const std::string& path);

} // namespace hk::base
