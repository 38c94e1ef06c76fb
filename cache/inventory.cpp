#include "cache/inventory.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>

#include "base/file_system_kind.h"
#include "cache/entry_file.h"
#include "cache/folder_walk.h"

namespace hk::cache {
namespace {

constexpr auto k_housekeeping_wait = std::chrono::seconds(10);
constexpr std::size_t k_most_names = 4; // in a message

// Nothing if the file has vanished.
std::optional<StoredEntry> examine(int folder, const StoredFile& file) {
  EntryFile found = read_entry_file(folder, file.path);
  if (found.condition == FileCondition::absent)
    return std::nullopt;
  StoredEntry stored;
  stored.kind = file.kind;
  stored.name = file.key_name;
  stored.path = file.path;
  stored.bytes = found.bytes;
  stored.modified_seconds = found.modified_seconds;
  stored.problem = found.problem;
  if (found.condition != FileCondition::sound)
    return stored;
  if (found.entry.key.name() != stored.name)
    stored.problem = "holds the entry " + found.entry.key.name();
  stored.key = std::move(found.entry.key);
  stored.metadata = std::move(found.entry.metadata);
  stored.payload_bytes = found.entry.payload.size();
  return stored;
}

// entry before rejected before failure.
int precedence(FileKind kind) {
  return kind == FileKind::entry ? 0 : kind == FileKind::rejected ? 1 : 2;
}

Status not_one_key(const std::string& folder, const std::string& prefix, const std::vector<StoredFile>& matches) {
  if (matches.empty())
    return {StatusCode::invalid_argument,
            "no entry of " + folder + " has a name that begins with \"" + prefix + "\": `hk cache ls` lists them"};
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (i == 0 || matches[i].key_name != matches[i - 1].key_name)
      if (count++ < k_most_names)
        names += (names.empty() ? "" : ", ") + matches[i].key_name;
  return {StatusCode::invalid_argument, std::to_string(count) + " entries of " + folder +
                                            " have names that begin with \"" + prefix + "\" (" + names +
                                            (count > k_most_names ? ", ..." : "") + "): give more of the name"};
}

} // namespace

Result<FolderStatistics> folder_statistics(const std::string& folder) {
  FolderStatistics statistics;
  HK_RETURN_IF_ERROR(walk_folder(folder, [&](const StoredFile& file) {
    statistics.allocated_bytes += file.allocated_bytes;
    switch (file.kind) {
    case FileKind::entry:
      ++statistics.entries;
      statistics.entry_bytes += file.bytes;
      break;
    case FileKind::temporary:
      ++statistics.temporary_files;
      statistics.temporary_bytes += file.bytes;
      break;
    case FileKind::rejected:
      ++statistics.rejected_entries;
      statistics.rejected_bytes += file.bytes;
      break;
    case FileKind::failure:
      ++statistics.kept_failures;
      break;
    case FileKind::other:
      break;
    }
  }));
  return statistics;
}

Result<std::vector<StoredEntry>> list_entries(const std::string& folder) {
  std::vector<StoredEntry> entries;
  const auto opened = open_cache_folder(folder);
  if (!opened && opened.error().number == ENOENT)
    return entries;
  if (!opened)
    return fail(opened.error().status(StatusCode::invalid_argument));
  HK_RETURN_IF_ERROR(walk_folder(folder, [&](const StoredFile& file) {
    if (file.kind != FileKind::entry)
      return;
    if (auto entry = examine(opened->get(), file))
      entries.push_back(std::move(*entry));
  }));
  return entries;
}

std::vector<StoredEntry> damaged_among(std::vector<StoredEntry> entries) {
  std::erase_if(entries, [](const StoredEntry& entry) { return entry.problem.empty(); });
  return entries;
}

Result<StoredEntry> inspect_entry(const std::string& folder, const std::string& prefix) {
  HK_ASSIGN_OR_RETURN(std::vector<StoredFile> matches, stored_files(folder));
  std::erase_if(matches, [&](const StoredFile& file) {
    return file.kind == FileKind::temporary || !file.key_name.starts_with(prefix);
  });
  std::sort(matches.begin(), matches.end(), [](const StoredFile& left, const StoredFile& right) {
    return left.key_name != right.key_name ? left.key_name < right.key_name
                                           : precedence(left.kind) < precedence(right.kind);
  });
  if (matches.empty() || matches.front().key_name != matches.back().key_name)
    return fail(not_one_key(folder, prefix, matches));
  const auto opened = open_cache_folder(folder);
  if (!opened)
    return fail(opened.error().status(StatusCode::invalid_argument));
  auto entry = examine(opened->get(), matches.front());
  if (!entry)
    return fail(not_one_key(folder, prefix, {}));
  return std::move(*entry);
}

Result<ClearReport> clear_entries(const std::string& folder) {
  ClearReport report;
  HK_ASSIGN_OR_RETURN(const std::vector<StoredFile> files, stored_files(folder));
  if (files.empty())
    return report;
  const auto opened = open_cache_folder(folder);
  if (!opened)
    return fail(opened.error().status(StatusCode::invalid_argument));
  for (const StoredFile& file : files) {
    if (file.kind == FileKind::temporary)
      continue;
    if (::unlinkat(opened->get(), file.path.c_str(), 0) == 0) {
      report.removed_entries += file.kind == FileKind::entry ? 1 : 0;
      report.removed_bytes += file.kind == FileKind::entry ? file.bytes : 0;
    } else if (errno != ENOENT && report.problem.empty()) {
      report.problem = base::file_error("remove", file.path).message;
    }
  }
  if (const auto now = file_system_time(folder))
    (void)keep_house(folder, *now, k_no_size_limit);
  return report;
}

Result<HousekeepingReport> collect_garbage(const std::string& folder, std::uint64_t max_bytes) {
  const auto opened = open_cache_folder(folder);
  if (!opened && opened.error().number == ENOENT)
    return HousekeepingReport{};
  if (!opened)
    return fail(opened.error().status(StatusCode::invalid_argument));
  base::RangeLock lock;
  if (base::file_system_kind(folder).value_or(base::FileSystemKind::local) == base::FileSystemKind::local) {
    Result<base::RangeLock> waited =
        wait_for_housekeeping(folder, std::chrono::steady_clock::now() + k_housekeeping_wait);
    if (waited && !waited->held())
      return fail(StatusCode::unsupported, "another process is removing entries of " + folder + ": try again later");
    if (waited) // else there are no locks: as SizeKeeper, it goes on without
      lock = std::move(*waited);
  }
  // A disk without room for one file more is no reason not to make room.
  const auto now = file_system_time(folder);
  return keep_house(folder, now.value_or(std::int64_t{std::time(nullptr)}), max_bytes);
}

} // namespace hk::cache
