#pragma once
// Layout: where things lie below a cache folder.
//
//   <folder>/CACHEDIR.TAG                tells backup programs that the tree can be rebuilt
//   <folder>/v1/locks                    locks of this format's tree, one byte each; always empty
//   <folder>/v1/<h>/<h>/<name>.hk        entries of format 1; <h><h> are the first two digits of the request digest
//   <folder>/v1/<h>/<h>/<name>.failure   keys that could not be made, kept for a minute
//   <folder>/v1/<h>/<h>/<name>.rejected  entries that proved useless, for people to look at
//   <folder>/v1/<h>/<h>/.temporary-*     files being written
// Other formats have a v<number> tree of their own, so library versions that share a folder leave each other alone.

#include <string>
#include <string_view>

#include "base/files.h"
#include "cache/key.h"

namespace hk::cache {

// "v1/3/f"
std::string entry_folder(const Key& key);
// "<name>.hk", inside entry_folder, and the other files of the key.
std::string entry_file(const Key& key);
std::string failure_file(const Key& key);
std::string rejected_file(const Key& key);

enum class FileKind { entry, failure, rejected, temporary, other };
struct FileName {
  FileKind kind = FileKind::other;
  std::string_view key_name; // Key::name(); empty for temporary and other files
};
// What a file in an entry folder is, by its name.
FileName parse_file_name(std::string_view file);

// In this format's tree.
inline constexpr const char* k_lock_file = "locks";

// Name of this format's tree: "v1".
std::string format_folder();

// The cache folder itself, refused (EPERM) unless it is a folder of this user that nobody else can write to.
base::FileResult<base::UniqueFd> open_cache_folder(const std::string& folder);

// The folder that a key's entry belongs in, made on the way if it does not exist: mode 0700 whatever the umask. Writes
// CACHEDIR.TAG into a new cache folder. New folders are not synced: one lost in a power cut takes only entries with it.
base::FileResult<base::UniqueFd> make_entry_folder(const std::string& folder, const Key& key);

// The same for the tree of this format, where the lock file lies.
base::FileResult<base::UniqueFd> make_format_folder(const std::string& folder);

} // namespace hk::cache
