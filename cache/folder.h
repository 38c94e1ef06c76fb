#pragma once
// Which folder the cache uses.
//
// Whoever can write to the cache can run code as its user, so a folder is used only if it belongs to this user, nobody
// else can write to it, it is no symbolic link, and no folder above it could be swapped by others: each of them belongs
// to root or this user and is not writable by others, unless sticky as /tmp is.

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/config.h"
#include "base/file_system_kind.h"
#include "base/status.h"

namespace hk::cache {

// HK_CACHE_DIR=none: no folder at all.
inline constexpr const char* k_no_folder = "none";

struct FolderChoice {
  std::string path;                 // absolute, without symbolic links; empty = no folder, memory only
  std::string origin;               // HK_CACHE_DIR, XDG_CACHE_HOME, HOME or /tmp
  bool network = false;             // lies on a network file system
  std::vector<std::string> refused; // one sentence for each folder or variable that came first but is not used
};

// Tells local from network; file_system_kind except in tests.
using FileSystemProbe = base::FileResult<base::FileSystemKind> (*)(const std::string& path);

// HK_CACHE_DIR and nothing else if it is set; no folder if it is "none". Otherwise XDG_CACHE_HOME/hk, else
// HOME/.cache/hk, else /tmp/hk-<uid>; a network home comes after /tmp, because thousands of ranks would meet there.
// A relative XDG_CACHE_HOME, and HOME unset, "/" or relative are passed over. Makes nothing.
FolderChoice choose_cache_folder(const base::Config& config, FileSystemProbe probe = base::file_system_kind);

// The path to use for a folder, or INVALID_ARGUMENT with the reason. A folder that does not exist must be one that this
// user can make.
Result<std::string> trusted_folder(const std::string& path);

} // namespace hk::cache
