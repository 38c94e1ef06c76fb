#include "compile/private_folder.h"

#include <cerrno>
#include <ctime>
#include <utility>

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/files.h"
#include "base/list_folder.h"
#include "base/remove_tree.h"

namespace hk::compile {
namespace {

// Between mkdir and flock a folder looks abandoned; nobody needs this long.
constexpr std::time_t k_young = 60; // seconds
// A compile of the largest kernels wrote 0.6 MB in 90 files, and removed them before anybody could count.
constexpr std::uint64_t k_wanted_space = 4 << 20; // bytes
constexpr std::uint64_t k_wanted_files = 256;

std::string prefix() {
  return "hk-compile-" + std::to_string(::geteuid()) + "-";
}

FailAs unusable(const std::string& parent, const std::string& why) {
  return fail_as(Status(StatusCode::compile_failed, "no temporary folder for the compiler in " + parent + " (" + why +
                                                        "): free space there or set TMPDIR to another folder"));
}

base::FileResult<base::UniqueFd> open_folder(const std::string& path) {
  return base::open_file(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

bool is_abandoned(int folder) {
  struct stat information{};
  return ::fstat(folder, &information) == 0 && information.st_uid == ::geteuid() &&
         std::time(nullptr) - information.st_mtime > k_young && ::flock(folder, LOCK_EX | LOCK_NB) == 0;
}

} // namespace

Result<PrivateFolder> PrivateFolder::create(const std::string& parent) {
  auto name = base::random_name();
  if (!name)
    return unusable(parent, name.error().message);
  std::string path = parent + "/" + prefix() + *name;
  if (::mkdir(path.c_str(), 0700) != 0)
    return unusable(parent, base::file_failure("mkdir", path).value().message);
  auto folder = open_folder(path);
  PrivateFolder made(std::move(path), folder ? std::move(*folder) : base::UniqueFd());
  if (!folder)
    return unusable(parent, folder.error().message);
  // A file system without locks refuses this one and the sweeper's alike, so nothing is lost.
  (void)::flock(made.m_lock.get(), LOCK_SH | LOCK_NB);
  return made;
}

PrivateFolder::PrivateFolder(std::string path, base::UniqueFd lock)
    : m_path(std::move(path)), m_lock(std::move(lock)), m_owner(::getpid()) {}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_lock(std::move(other.m_lock)), m_owner(other.m_owner) {}

PrivateFolder::~PrivateFolder() {
  if (!m_path.empty() && m_owner == ::getpid())
    (void)base::remove_tree(m_path);
}

void remove_abandoned_folders(const std::string& parent) {
  const auto opened = base::open_file(AT_FDCWD, parent, O_RDONLY | O_DIRECTORY);
  if (!opened)
    return;
  const auto names = base::list_folder(opened->get(), parent);
  if (!names)
    return;
  for (const std::string& name : *names) {
    if (!name.starts_with(prefix()))
      continue;
    std::string path = parent;
    path.append("/").append(name);
    if (const auto folder = open_folder(path); folder && is_abandoned(folder->get()))
      (void)base::remove_tree(path);
  }
}

std::optional<std::string> temporary_folder_trouble(const std::string& folder) {
  const std::string remedy = "; free space there or set TMPDIR to another folder";
  struct statvfs information{};
  if (::statvfs(folder.c_str(), &information) != 0 || ::access(folder.c_str(), W_OK | X_OK) != 0)
    return "the temporary folder " + folder + " is missing or not writable" + remedy;
  // A file system without a table of inodes says 0.
  const bool no_inodes = information.f_files != 0 && information.f_favail < k_wanted_files;
  if (std::uint64_t{information.f_bavail} * information.f_frsize < k_wanted_space || no_inodes)
    return "the temporary folder " + folder + " is full" + remedy;
  return std::nullopt;
}

} // namespace hk::compile
