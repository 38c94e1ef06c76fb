#include "cache/folder_walk.h"

#include <sys/stat.h>

#include <cerrno>
#include <string_view>

#include "base/list_folder.h"

namespace hk::cache {
namespace {

using Visit = std::function<void(const StoredFile&)>;

// Entries lie two shard folders deep; temporary files of the lock file's making lie above them.
constexpr int k_shard_levels = 2;
constexpr std::uint64_t k_bytes_per_block = 512; // of st_blocks, whatever the file system's own blocks are

bool is_shard(const std::string& name) {
  return name.size() == 1 && std::string_view("0123456789abcdef").find(name[0]) != std::string_view::npos;
}

void visit_file(int folder, const std::string& name, const std::string& path, const Visit& visit) {
  const FileName parsed = parse_file_name(name);
  struct stat information{};
  if (parsed.kind == FileKind::other || ::fstatat(folder, name.c_str(), &information, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  StoredFile file;
  file.kind = parsed.kind;
  file.path = base::path_in(path, name);
  file.key_name = parsed.key_name;
  file.bytes = static_cast<std::uint64_t>(information.st_size);
  file.allocated_bytes = allocated_bytes(information);
  file.modified_seconds = information.st_mtime;
  visit(file);
}

// Opens parent/name and visits what it and `levels` levels of shards below it hold.
base::FileResult<void> walk(int parent, const std::string& name, const std::string& path, int levels,
                            const Visit& visit) {
  const auto folder = base::open_file(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder && (folder.error().number == ENOENT || folder.error().number == ENOTDIR))
    return {};
  if (!folder)
    return tl::unexpected<base::FileError>(folder.error());
  const auto names = base::list_folder(folder->get(), path);
  if (!names)
    return tl::unexpected<base::FileError>(names.error());
  for (const std::string& child : *names) {
    if (!is_shard(child))
      visit_file(folder->get(), child, path, visit);
    else if (levels > 0)
      if (auto walked = walk(folder->get(), child, base::path_in(path, child), levels - 1, visit); !walked)
        return walked;
  }
  return {};
}

} // namespace

std::uint64_t allocated_bytes(const struct stat& information) noexcept {
  const auto blocks = static_cast<std::uint64_t>(information.st_blocks);
  // Some file systems count blocks late or never.
  return blocks > 0 ? blocks * k_bytes_per_block : static_cast<std::uint64_t>(information.st_size);
}

Status walk_folder(const std::string& folder, const Visit& visit) {
  const auto opened = open_cache_folder(folder);
  if (!opened && opened.error().number == ENOENT)
    return {};
  if (!opened)
    return opened.error().status(StatusCode::invalid_argument);
  if (auto walked = walk(opened->get(), format_folder(), format_folder(), k_shard_levels, visit); !walked)
    return Status(StatusCode::invalid_argument, "cache folder " + folder + ": " + walked.error().message);
  return {};
}

Result<std::vector<StoredFile>> stored_files(const std::string& folder) {
  std::vector<StoredFile> files;
  HK_RETURN_IF_ERROR(walk_folder(folder, [&](const StoredFile& file) { files.push_back(file); }));
  return files;
}

} // namespace hk::cache
