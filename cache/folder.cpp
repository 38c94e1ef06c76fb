#include "cache/folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

namespace hk::cache {
namespace {

struct FreeText {
  void operator()(char* text) const { std::free(text); }
};

// In a user namespace, owners that are not mapped (root of the machine, for one) all appear as this number.
uid_t unmapped_owner() {
  const auto map = base::read_file("/proc/self/uid_map", 4096);
  const auto number = base::read_file("/proc/sys/kernel/overflowuid", 64);
  if (!map || !number)
    return 0;
  // "0 0 4294967295": everybody is mapped, so the number means the user of that number.
  if (base::as_text(*map).find("4294967295") != std::string_view::npos)
    return 0;
  return static_cast<uid_t>(std::strtoul(std::string(base::as_text(*number)).c_str(), nullptr, 10));
}

Status check_ancestor(const std::string& path) {
  struct stat information{};
  if (::stat(path.c_str(), &information) != 0)
    return base::file_error("stat", path).status(StatusCode::invalid_argument);
  if (!S_ISDIR(information.st_mode))
    return Status(StatusCode::invalid_argument, path + " is not a folder");
  const uid_t owner = information.st_uid;
  if (owner != 0 && owner != ::geteuid() && owner != unmapped_owner())
    return Status(StatusCode::invalid_argument, path + " belongs to another user");
  if ((information.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (information.st_mode & S_ISVTX) == 0)
    return Status(StatusCode::invalid_argument, "other users can write to " + path);
  return {};
}

// The folder itself, if it exists: what open_cache_folder (layout.h) will demand again at each use.
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
      return fail(base::file_error("getcwd", "the current folder").status(StatusCode::invalid_argument));
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

bool writable(const std::string& path) {
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
}

// Checks every folder from the nearest existing one up to the root, and that a missing folder can be made.
Status check_ancestors(const std::string& path, bool folder_exists) {
  std::string ancestor = parent_of(path);
  while (ancestor != "/" && !exists(ancestor))
    ancestor = parent_of(ancestor);
  if (!folder_exists && !writable(ancestor))
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
    return base::file_error("stat", path).status(StatusCode::invalid_argument);
  if (folder_exists)
    HK_RETURN_IF_ERROR(check_existing(path, information));
  return check_ancestors(path, folder_exists);
}

struct Candidate {
  std::string path;
  std::string origin;
  bool network = false;
};

std::vector<Candidate> default_candidates(const base::Config& config, FileSystemProbe probe, FolderChoice& choice) {
  std::vector<Candidate> candidates;
  if (config.user_cache_home.starts_with('/'))
    candidates.push_back({config.user_cache_home + "/hk", "XDG_CACHE_HOME"});
  else if (config.home.starts_with('/') && config.home.find_first_not_of('/') != std::string::npos)
    candidates.push_back({config.home + "/.cache/hk", "HOME"});
  else
    choice.refused.push_back("no home folder: neither XDG_CACHE_HOME nor HOME names one");
  candidates.push_back({"/tmp/hk-" + std::to_string(::geteuid()), "/tmp"});
  for (Candidate& candidate : candidates)
    candidate.network = probe(candidate.path).value_or(base::FileSystemKind::local) == base::FileSystemKind::network;
  // One job's thousands of ranks would all meet on the server of a network home.
  if (candidates.front().network && !candidates.back().network)
    std::swap(candidates.front(), candidates.back());
  return candidates;
}

} // namespace

Result<std::string> trusted_folder(const std::string& path) {
  HK_ASSIGN_OR_RETURN(std::string absolute, absolute_path(path));
  while (absolute.size() > 1 && absolute.ends_with('/'))
    absolute.pop_back();
  std::string resolved = resolve_parents(absolute);
  if (const Status status = check_folder(resolved); !status.ok())
    return fail(status.code, "cache folder " + path + " is not used: " + status.message);
  return resolved;
}

FolderChoice choose_cache_folder(const base::Config& config, FileSystemProbe probe) {
  FolderChoice choice;
  if (config.cache_folder == k_no_folder) {
    choice.origin = "HK_CACHE_DIR";
    choice.refused.emplace_back("HK_CACHE_DIR=none asks for no folder");
    return choice;
  }
  const bool named = !config.cache_folder.empty();
  std::vector<Candidate> candidates;
  if (named)
    candidates.push_back(
        {config.cache_folder, "HK_CACHE_DIR",
         probe(config.cache_folder).value_or(base::FileSystemKind::local) == base::FileSystemKind::network});
  else
    candidates = default_candidates(config, probe, choice);
  for (const Candidate& candidate : candidates) {
    auto folder = trusted_folder(candidate.path);
    if (!folder) {
      choice.refused.push_back(folder.error().message);
      continue;
    }
    // A folder that the user named may be a read-only collection; a default that cannot be written is passed over.
    if (!named && exists(*folder) && !writable(*folder)) {
      choice.refused.push_back("cache folder " + candidate.path + " is not used: it is not writable");
      continue;
    }
    choice.path = *folder;
    choice.origin = candidate.origin;
    choice.network = candidate.network;
    break;
  }
  return choice;
}

} // namespace hk::cache
