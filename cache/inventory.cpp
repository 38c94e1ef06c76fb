#include "cache/inventory.h"

#include <sys/stat.h>

#include <cerrno>
#include <ctime>
#include <functional>

#include "base/list_folder.h"
#include "base/temporary_file.h"
#include "cache/entry_file.h"
#include "cache/layout.h"

namespace hk::cache {
namespace {

constexpr std::int64_t k_orphan_seconds = 3600;

// Called with the open folder of a file and the file's name.
using Visitor = std::function<void(int folder, const std::string& file)>;

bool is_shard(const std::string& name) {
  return name.size() == 1 && std::string_view("0123456789abcdef").find(name[0]) != std::string_view::npos;
}

// Opens parent/name and visits what `levels` shard levels below it hold. Folders that vanish meanwhile are skipped.
base::FileResult<void> visit(int parent, const std::string& name, const std::string& path, int levels,
                             const Visitor& visitor) {
  const auto folder = base::open_file(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder && (folder.error().number == ENOENT || folder.error().number == ENOTDIR))
    return {};
  if (!folder)
    return tl::unexpected<base::FileError>(folder.error());
  const auto names = base::list_folder(folder->get(), path);
  if (!names)
    return tl::unexpected<base::FileError>(names.error());
  for (const std::string& child : *names) {
    const std::string child_path = base::path_in(path, child);
    if (levels == 0)
      visitor(folder->get(), child);
    else if (is_shard(child))
      if (auto visited = visit(folder->get(), child, child_path, levels - 1, visitor); !visited)
        return visited;
  }
  return {};
}

Status visit_files(const std::string& folder, const Visitor& visitor) {
  const auto opened = open_cache_folder(folder);
  if (!opened && opened.error().number == ENOENT)
    return {};
  if (!opened)
    return opened.error().status(StatusCode::invalid_argument);
  if (auto visited = visit(opened->get(), format_folder(), folder + "/" + format_folder(), 2, visitor); !visited)
    return visited.error().status(StatusCode::invalid_argument);
  return {};
}

std::uint64_t size_of(int folder, const std::string& file) {
  struct stat information{};
  const bool known = ::fstatat(folder, file.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0;
  return known ? static_cast<std::uint64_t>(information.st_size) : 0;
}

StoredEntry examine(int folder, const std::string& file) {
  EntryFile found = read_entry_file(folder, file);
  StoredEntry stored;
  stored.name = parse_file_name(file).key_name;
  stored.bytes = found.bytes;
  stored.modified_seconds = found.modified_seconds;
  stored.problem = found.problem;
  if (found.condition != FileCondition::sound)
    return stored;
  if (found.entry.key.name() != stored.name)
    stored.problem = "holds the entry " + found.entry.key.name();
  stored.key = std::move(found.entry.key);
  stored.metadata = std::move(found.entry.metadata);
  return stored;
}

} // namespace

Result<FolderStatistics> folder_statistics(const std::string& folder) {
  FolderStatistics statistics;
  HK_RETURN_IF_ERROR(visit_files(folder, [&](int shard, const std::string& file) {
    const FileKind kind = parse_file_name(file).kind;
    if (kind == FileKind::entry) {
      ++statistics.entries;
      statistics.entry_bytes += size_of(shard, file);
    } else if (kind == FileKind::temporary) {
      ++statistics.temporary_files;
      statistics.temporary_bytes += size_of(shard, file);
    }
  }));
  return statistics;
}

Result<std::vector<StoredEntry>> list_entries(const std::string& folder) {
  std::vector<StoredEntry> entries;
  HK_RETURN_IF_ERROR(visit_files(folder, [&](int shard, const std::string& file) {
    if (parse_file_name(file).kind == FileKind::entry)
      entries.push_back(examine(shard, file));
  }));
  return entries;
}

Result<std::vector<StoredEntry>> damaged_entries(const std::string& folder) {
  HK_ASSIGN_OR_RETURN(auto entries, list_entries(folder));
  std::erase_if(entries, [](const StoredEntry& entry) { return entry.problem.empty(); });
  return entries;
}

Result<ClearReport> clear_entries(const std::string& folder) {
  ClearReport report;
  HK_RETURN_IF_ERROR(visit_files(folder, [&](int shard, const std::string& file) {
    if (parse_file_name(file).kind != FileKind::entry)
      return;
    const std::uint64_t bytes = size_of(shard, file);
    if (::unlinkat(shard, file.c_str(), 0) == 0) {
      ++report.removed_entries;
      report.removed_bytes += bytes;
    } else if (errno != ENOENT && report.problem.empty()) {
      report.problem = base::file_error("remove", file).message;
    }
  }));
  sweep_orphans(folder, ::time(nullptr));
  return report;
}

void sweep_orphans(const std::string& folder, std::int64_t now) {
  // What cannot be looked through now is swept by a later process.
  (void)visit_files(folder, [&](int shard, const std::string& file) {
    struct stat information{};
    if (base::is_temporary_name(file) && ::fstatat(shard, file.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0 &&
        information.st_mtime < now - k_orphan_seconds)
      ::unlinkat(shard, file.c_str(), 0);
  });
}

} // namespace hk::cache
