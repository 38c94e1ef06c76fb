#pragma once
// Inventory: looking through a whole cache folder. Serves `hk cache stat|ls|inspect|verify|gc|clear`.
//
// Only files that the store itself names are counted, listed or removed. A folder that does not exist is an empty one.
// INVALID_ARGUMENT if the folder is refused (another user's, writable by others) or cannot be read. A file that another
// process removes meanwhile is no longer there, and nothing else.

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "cache/entry.h"
#include "cache/housekeeping.h"
#include "cache/layout.h"

namespace hk::cache {

struct FolderStatistics {
  std::uint64_t entries = 0;
  std::uint64_t entry_bytes = 0;
  std::uint64_t temporary_files = 0; // being written now, or left by a killed process
  std::uint64_t temporary_bytes = 0;
  std::uint64_t rejected_entries = 0;
  std::uint64_t rejected_bytes = 0;
  std::uint64_t kept_failures = 0;
  std::uint64_t allocated_bytes = 0; // of all these files on the disk: what the size limit is about
};

struct StoredEntry {
  FileKind kind = FileKind::entry;
  std::string name; // Key::name()
  std::string path; // below the cache folder
  std::uint64_t bytes = 0;
  std::int64_t modified_seconds = 0; // since 1970: the last use, to the hour
  std::string problem;               // empty = sound and rightly named
  Key key;                           // if sound
  Metadata metadata;                 // if sound
  std::uint64_t payload_bytes = 0;   // if sound
};

struct ClearReport {
  std::uint64_t removed_entries = 0;
  std::uint64_t removed_bytes = 0; // of entries
  std::string problem;             // of the first file that could not be removed
};

// Without reading any entry.
Result<FolderStatistics> folder_statistics(const std::string& folder);

// Every entry, read whole and verified, sorted by name.
Result<std::vector<StoredEntry>> list_entries(const std::string& folder);

// Those that have a problem.
std::vector<StoredEntry> damaged_among(std::vector<StoredEntry> entries);

// The entry whose name begins with `prefix`; if there is no such entry, the rejected one or the kept failure.
// INVALID_ARGUMENT if there is none or more than one key.
Result<StoredEntry> inspect_entry(const std::string& folder, const std::string& prefix);

// Removes every entry, rejected entry and kept failure of this format, and old temporary files. Processes that use the
// folder meanwhile see misses, nothing worse.
Result<ClearReport> clear_entries(const std::string& folder);

// keep_house, alone: waits a few seconds for another process that is at it, and is UNSUPPORTED if that takes longer.
// Where there are no locks it goes on without; where no file can be made, by this machine's clock.
Result<HousekeepingReport> collect_garbage(const std::string& folder, std::uint64_t max_bytes);

} // namespace hk::cache
