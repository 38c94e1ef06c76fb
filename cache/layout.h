#pragma once
// Layout: where things lie below a cache folder.
//
//   <folder>/CACHEDIR.TAG            tells backup programs that the tree can be rebuilt
//   <folder>/v1/<h>/<h>/<name>.hk    entries of format 1; <h><h> are the first two digits of the request digest: 256
//   folders <folder>/v1/<h>/<h>/.temporary-* entries being written
// Other formats have a v<number> tree of their own, so library versions that share a folder leave each other alone.

#include <string>
#include <string_view>

#include "base/files.h"
#include "cache/key.h"

namespace hk::cache {

// "v1/3/f"
std::string entry_folder(const Key& key);
// "<name>.hk", inside entry_folder.
std::string entry_file(const Key& key);
// The key's name if a file name is that of an entry, else empty.
std::string_view entry_name_of(std::string_view file);

// Name of this format's tree: "v1".
std::string format_folder();

// The cache folder itself, refused (EPERM) unless it is a folder of this user that nobody else can write to.
base::FileResult<base::UniqueFd> open_cache_folder(const std::string& folder);

// The folder that a key's entry belongs in, made on the way if it does not exist: mode 0700 whatever the umask. Writes
// CACHEDIR.TAG into a new cache folder. New folders are not synced: one lost in a power cut takes only entries with it.
base::FileResult<base::UniqueFd> make_entry_folder(const std::string& folder, const Key& key);

} // namespace hk::cache
