#include "base/range_lock.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "base/temporary_file.h"

namespace hk::base {
namespace {

constexpr mode_t k_lock_file_mode = 0600;
constexpr int k_open_flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
// How often a lock file may be replaced under our hands before that is an error.
constexpr int k_attempts = 3;
constexpr auto k_shortest_pause = std::chrono::milliseconds(1);
constexpr auto k_longest_pause = std::chrono::milliseconds(50);

struct flock byte_lock(short type, std::uint64_t offset) {
  struct flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(offset);
  lock.l_len = 1;
  return lock;
}

// Made under another name and linked, so that no other process ever meets it with the mode that the umask left.
FileResult<void> make_lock_file(int folder, const std::string& name) {
  const std::size_t slash = name.find_last_of('/');
  UniqueFd parent;
  std::string parent_name = ".";
  if (slash != std::string::npos) {
    parent_name = slash == 0 ? "/" : name.substr(0, slash);
    auto opened = open_file(folder, parent_name, O_RDONLY | O_DIRECTORY);
    if (!opened)
      return tl::unexpected<FileError>(std::move(opened.error()));
    parent = std::move(*opened);
  }
  auto file = TemporaryFile::create(parent.valid() ? parent.get() : folder, parent_name, k_lock_file_mode);
  if (!file)
    return tl::unexpected<FileError>(std::move(file.error()));
  auto linked = file->publish_new(slash == std::string::npos ? name : name.substr(slash + 1));
  if (!linked && linked.error().number != EEXIST)
    return linked;
  return {};
}

FileResult<UniqueFd> open_lock_file(int folder, const std::string& name) {
  auto file = open_file(folder, name, k_open_flags);
  if (!file && file.error().number == ENOENT) {
    if (auto made = make_lock_file(folder, name); !made)
      return tl::unexpected<FileError>(std::move(made.error()));
    file = open_file(folder, name, k_open_flags);
  }
  if (!file)
    return file;
  struct stat information{};
  if (::fstat(file->get(), &information) != 0)
    return file_failure("stat", name);
  if (!S_ISREG(information.st_mode))
    return file_failure("lock (not a regular file)", name, EINVAL);
  if (information.st_uid != ::geteuid() || (information.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return file_failure("lock (another user owns it or can write to it)", name, EPERM);
  return file;
}

// False if the byte is held by another.
FileResult<bool> lock_byte(int file, std::uint64_t offset, const std::string& name) {
  struct flock lock = byte_lock(F_WRLCK, offset);
  int result = 0;
  do {
    result = ::fcntl(file, F_OFD_SETLK, &lock);
  } while (result != 0 && errno == EINTR);
  if (result == 0)
    return true;
  if (errno == EAGAIN || errno == EACCES)
    return false;
  return file_failure("lock", name);
}

// Somebody may have removed the folder and made it anew: then others lock another file of that name.
bool still_named(int file, int folder, const std::string& name) {
  struct stat opened{};
  struct stat named{};
  return ::fstat(file, &opened) == 0 && ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

} // namespace

RangeLock::RangeLock(UniqueFd file, std::uint64_t offset)
    : m_file(std::move(file)), m_offset(offset), m_owner(::getpid()) {}

RangeLock::RangeLock(RangeLock&& other) noexcept
    : m_file(std::move(other.m_file)), m_offset(other.m_offset), m_owner(other.m_owner) {}

RangeLock& RangeLock::operator=(RangeLock&& other) noexcept {
  if (this != &other) {
    release();
    m_file = std::move(other.m_file);
    m_offset = other.m_offset;
    m_owner = other.m_owner;
  }
  return *this;
}

void RangeLock::release() noexcept {
  // Unlocked explicitly: a forked child that still has the descriptor would keep the lock otherwise. And the child's
  // own copy of this object must not take its parent's lock away.
  if (m_file.valid() && m_owner == ::getpid()) {
    struct flock lock = byte_lock(F_UNLCK, m_offset);
    (void)::fcntl(m_file.get(), F_OFD_SETLK, &lock);
  }
  m_file.reset();
}

FileResult<std::optional<RangeLock>> RangeLock::try_lock(int folder, const std::string& name, std::uint64_t offset) {
  if (offset > k_max_offset)
    return file_failure("lock (no such offset)", name, EINVAL);
  for (int attempt = 0; attempt < k_attempts; ++attempt) {
    auto file = open_lock_file(folder, name);
    if (!file)
      return tl::unexpected<FileError>(std::move(file.error()));
    const auto locked = lock_byte(file->get(), offset, name);
    if (!locked)
      return tl::unexpected<FileError>(locked.error());
    if (!*locked)
      return std::optional<RangeLock>();
    if (still_named(file->get(), folder, name))
      return std::optional<RangeLock>(RangeLock(std::move(*file), offset));
  }
  return file_failure("lock (it is replaced again and again)", name, ESTALE);
}

FileResult<LockWait> wait_for_lock(int folder, const std::string& name, std::uint64_t offset,
                                   std::chrono::steady_clock::time_point deadline,
                                   const std::function<bool()>& settled) {
  LockWait wait;
  auto pause = std::chrono::duration_cast<std::chrono::steady_clock::duration>(k_shortest_pause);
  while (true) {
    auto tried = RangeLock::try_lock(folder, name, offset);
    if (!tried)
      return tl::unexpected<FileError>(std::move(tried.error()));
    std::optional<RangeLock> lock = std::move(*tried);
    if (settled()) {
      wait.outcome = LockWait::Outcome::settled;
      return wait;
    }
    if (lock) {
      wait.outcome = LockWait::Outcome::locked;
      wait.lock = std::move(*lock);
      return wait;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now >= deadline)
      return wait;
    wait.waited = true;
    std::this_thread::sleep_for(std::min(pause, deadline - now));
    pause = std::min<std::chrono::steady_clock::duration>(pause * 3 / 2, k_longest_pause);
  }
}

} // namespace hk::base
