#pragma once
// Walking through every file of a cache folder that the store itself names. What others put there is passed over.

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cache/layout.h"

namespace hk::cache {

struct StoredFile {
  FileKind kind = FileKind::other;
  std::string path;                  // below the cache folder: "v1/3/f/<name>.hk"
  std::string key_name;              // Key::name(); empty for a temporary file
  std::uint64_t bytes = 0;           // of the content
  std::uint64_t allocated_bytes = 0; // on the disk
  std::int64_t modified_seconds = 0; // since 1970; of an entry: the last use, to the hour
};

// What a file takes up on the disk; its size where the file system does not count.
std::uint64_t allocated_bytes(const struct stat& information) noexcept;

// Calls visit() for every file of this format's tree that parse_file_name() knows, sorted by name inside each folder.
// Files and folders that vanish meanwhile are passed over; a folder that does not exist is an empty one.
// INVALID_ARGUMENT if the folder is refused (another user's, writable by others) or cannot be read.
Status walk_folder(const std::string& folder, const std::function<void(const StoredFile&)>& visit);

// All of them.
Result<std::vector<StoredFile>> stored_files(const std::string& folder);

} // namespace hk::cache
