#pragma once
// Inventory: looking through a whole cache folder. Serves `hk cache stat|ls|verify|clear` and the sweep of orphans.
//
// Only files that the store itself names are counted, listed or removed. A folder that does not exist is an empty one.
// INVALID_ARGUMENT if the folder is refused (another user's, writable by others) or cannot be read.

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "cache/entry.h"

namespace hk::cache {

struct FolderStatistics {
  std::uint64_t entries = 0;
  std::uint64_t entry_bytes = 0;
  std::uint64_t temporary_files = 0; // being written now, or left by a killed process
  std::uint64_t temporary_bytes = 0;
};

struct StoredEntry {
  std::string name; // Key::name()
  std::uint64_t bytes = 0;
  std::int64_t modified_seconds = 0; // since 1970
  std::string problem;               // empty = sound and rightly named
  Key key;                           // if sound
  Metadata metadata;                 // if sound
};

struct ClearReport {
  std::uint64_t removed_entries = 0;
  std::uint64_t removed_bytes = 0;
  std::string problem; // of the first file that could not be removed
};

// Without reading any entry.
Result<FolderStatistics> folder_statistics(const std::string& folder);

// Every entry, read whole and verified, sorted by name.
Result<std::vector<StoredEntry>> list_entries(const std::string& folder);

// Those of list_entries that have a problem.
Result<std::vector<StoredEntry>> damaged_entries(const std::string& folder);

// Removes every entry and temporary file of this format. Processes that use the folder meanwhile see misses, nothing
// worse.
Result<ClearReport> clear_entries(const std::string& folder);

// Removes temporary files more than one hour older than `now`, which is the modification time of a file just written
// there: the file system's clock, not this machine's.
void sweep_orphans(const std::string& folder, std::int64_t now);

} // namespace hk::cache
