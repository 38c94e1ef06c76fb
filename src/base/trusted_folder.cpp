#include "base/trusted_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

namespace hk::base {
namespace {

constexpr mode_t k_folder_mode = 0700;
constexpr int k_open_folder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

struct FreeText {
  void operator()(char* text) const { std::free(text); }
};

// In a user namespace, owners that are not mapped (root of the machine, for one) all appear as this number.
uid_t unmapped_owner() {
  const auto map = read_file("/proc/self/uid_map", 4096);
  const auto number = read_file("/proc/sys/kernel/overflowuid", 64);
  if (!map || !number)
    return 0;
  // "0 0 4294967295": everybody is mapped, so the number means the user of that number.
  if (as_text(*map).find("4294967295") != std::string_view::npos)
    return 0;
  return static_cast<uid_t>(std::strtoul(std::string(as_text(*number)).c_str(), nullptr, 10));
}

Status check_ancestor(const std::string& path) {
  struct stat information{};
  if (::stat(path.c_str(), &information) != 0)
    return file_error("stat", path).status(StatusCode::invalid_argument);
  if (!S_ISDIR(information.st_mode))
    return Status(StatusCode::invalid_argument, path + " is not a folder");
  const uid_t owner = information.st_uid;
  if (owner != 0 && owner != ::geteuid() && owner != unmapped_owner())
    return Status(StatusCode::invalid_argument, path + " belongs to another user");
  if ((information.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (information.st_mode & S_ISVTX) == 0)
    return Status(StatusCode::invalid_argument, "other users can write to " + path);
  return {};
}

// The folder itself, if it exists: what open_own_folder will demand again at each use.
Status check_existing(const std::string& path, const struct stat& information) {
  if (S_ISLNK(information.st_mode))
    return Status(StatusCode::invalid_argument, path + " is a symbolic link; name the folder that it leads to");
  if (!S_ISDIR(information.st_mode))
    return Status(StatusCode::invalid_argument, path + " is not a folder");
  if (information.st_uid != ::geteuid())
    return Status(StatusCode::invalid_argument, path + " belongs to another user");
  if ((information.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return Status(StatusCode::invalid_argument, "other users can write to it; chmod go-w " + path);
  return {};
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

std::string joined(const std::string& folder, const std::string& name) {
  return (folder == "/" ? "" : folder) + "/" + name;
}

Result<std::string> absolute_path(std::string path) {
  if (path.empty())
    return fail(StatusCode::invalid_argument, "the path is empty");
  if (path[0] != '/') {
    const std::unique_ptr<char, FreeText> current(::getcwd(nullptr, 0));
    if (!current)
      return fail(file_error("getcwd", "the current folder").status(StatusCode::invalid_argument));
    path = joined(current.get(), path);
  }
  return path;
}

// Links resolved in everything but the last component, which keeps its own check. Components that do not exist yet are
// appended as they are.
std::string resolve_parents(const std::string& path) {
  std::string existing = parent_of(path);
  std::string rest = path.substr(path.find_last_of('/') + 1);
  while (true) {
    const std::unique_ptr<char, FreeText> real(::realpath(existing.c_str(), nullptr));
    if (real)
      return joined(real.get(), rest);
    if (existing == "/")
      return path;
    rest.insert(0, existing.substr(existing.find_last_of('/') + 1).append("/"));
    existing = parent_of(existing);
  }
}

bool exists(const std::string& path) {
  struct stat information{};
  return ::stat(path.c_str(), &information) == 0;
}

// Checks every folder from the nearest existing one up to the root, and that a missing folder can be made.
Status check_ancestors(const std::string& path, bool folder_exists) {
  std::string ancestor = parent_of(path);
  while (ancestor != "/" && !exists(ancestor))
    ancestor = parent_of(ancestor);
  if (!folder_exists && !writable_folder(ancestor))
    return Status(StatusCode::invalid_argument, "it does not exist and " + ancestor + " is not writable");
  while (true) {
    HK_RETURN_IF_ERROR(check_ancestor(ancestor));
    if (ancestor == "/")
      return {};
    ancestor = parent_of(ancestor);
  }
}

Status check_folder(const std::string& path) {
  struct stat information{};
  const bool folder_exists = ::lstat(path.c_str(), &information) == 0;
  if (!folder_exists && errno != ENOENT)
    return file_error("stat", path).status(StatusCode::invalid_argument);
  if (folder_exists)
    HK_RETURN_IF_ERROR(check_existing(path, information));
  return check_ancestors(path, folder_exists);
}

// mkdir -p of an absolute or relative path.
FileResult<void> make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), k_folder_mode) == 0) {
      if (::chmod(part.c_str(), k_folder_mode) != 0)
        return file_failure("chmod", part);
    } else if (errno != EEXIST) {
      return file_failure("make folder", part);
    }
    if (slash == std::string::npos)
      return {};
  }
}

} // namespace

Result<std::string> trusted_folder(const std::string& path, std::string_view what) {
  HK_ASSIGN_OR_RETURN(std::string absolute, absolute_path(path));
  while (absolute.size() > 1 && absolute.ends_with('/'))
    absolute.pop_back();
  std::string resolved = resolve_parents(absolute);
  if (const Status status = check_folder(resolved); !status.ok())
    return fail(status.code, std::string(what) + " " + path + " is not used: " + status.message);
  return resolved;
}

FileResult<UniqueFd> open_own_folder(const std::string& path) {
  auto opened = open_file(AT_FDCWD, path, k_open_folder);
  if (!opened)
    return opened;
  struct stat information{};
  if (::fstat(opened->get(), &information) != 0)
    return file_failure("stat", path);
  if (information.st_uid != ::geteuid())
    return file_failure("use (it belongs to another user)", path, EPERM);
  if ((information.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return file_failure("use (other users can write to it: chmod go-w)", path, EPERM);
  return opened;
}

FileResult<UniqueFd> make_own_folder(const std::string& path, bool* made) {
  if (made != nullptr)
    *made = false;
  auto opened = open_own_folder(path);
  if (opened || opened.error().number != ENOENT)
    return opened;
  if (auto folders = make_folders(path); !folders)
    return tl::unexpected<FileError>(std::move(folders.error()));
  opened = open_own_folder(path);
  if (made != nullptr)
    *made = opened.has_value();
  return opened;
}

FileResult<UniqueFd> open_or_make_folder(int parent, const std::string& name, const std::string& path) {
  auto folder = open_file(parent, name, k_open_folder);
  if (folder || folder.error().number != ENOENT)
    return folder;
  if (::mkdirat(parent, name.c_str(), k_folder_mode) == 0) {
    // The umask may have taken bits away; the user's own rights are needed below.
    if (::fchmodat(parent, name.c_str(), k_folder_mode, 0) != 0)
      return file_failure("chmod", path);
  } else if (errno != EEXIST) {
    return file_failure("make folder", path);
  }
  return open_file(parent, name, k_open_folder);
}

bool writable_folder(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

} // namespace hk::base
