#pragma once
// RangeLock: an exclusive lock of one byte of a lock file, between threads and between processes of one machine.
//
// One lock file serves any number of locks: each is a byte offset, and the file stays empty. The locks are Linux's
// open-file-description locks, so they end with their holder, however it ends, and no stale owner is ever guessed at.
// They are an optimisation and nothing else: where they do not work (ENOLCK, a network file system, a folder that
// cannot be written) the caller goes on without.
//
// A process that forks shares its locks with the child until the child ends or runs another program; only the process
// that took a lock gives it back early. Lock files are made with mode 0600 whatever the umask and are never removed: a
// removed one that others still wait on would have two owners.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/files.h"

namespace hk::base {

class RangeLock {
 public:
  // Offsets go from 0 to this.
  static constexpr std::uint64_t k_max_offset = (std::uint64_t{1} << 63) - 2;

  RangeLock() = default; // holds nothing
  RangeLock(RangeLock&& other) noexcept;
  RangeLock& operator=(RangeLock&& other) noexcept;
  RangeLock(const RangeLock&) = delete;
  RangeLock& operator=(const RangeLock&) = delete;
  ~RangeLock() { release(); }

  // Locks the byte if nobody holds it; an empty optional if somebody does, be it another thread of this process.
  // folder/name is the lock file (folder = AT_FDCWD: name is a path); it is made if it does not exist. Fails with the
  // error number of what went wrong: ELOOP for a symbolic link, EINVAL for anything else that is no regular file, EPERM
  // for a file of another user or one that others can write to, ENOLCK where the file system cannot lock.
  static FileResult<std::optional<RangeLock>> try_lock(int folder, const std::string& name, std::uint64_t offset);

  [[nodiscard]] bool held() const noexcept { return m_file.valid(); }
  void release() noexcept;

 private:
  RangeLock(UniqueFd file, std::uint64_t offset);

  UniqueFd m_file;
  std::uint64_t m_offset = 0;
  pid_t m_owner = 0;
};

struct LockWait {
  enum class Outcome {
    locked,
    settled,   // what the lock was wanted for is done: no lock is held
    timed_out, // no lock is held
  };
  Outcome outcome = Outcome::timed_out;
  RangeLock lock; // if locked
  bool waited = false;
};

// Waits until the byte is locked, settled() says true, or the deadline has passed; asks after 1 ms first and then less
// and less often, up to 50 ms. settled() is asked whenever the lock is held by another, so a crowd that waits for one
// result goes on together instead of taking the lock in turn; and once more after the lock is taken. Fails as try_lock.
FileResult<LockWait> wait_for_lock(int folder, const std::string& name, std::uint64_t offset,
                                   std::chrono::steady_clock::time_point deadline,
                                   const std::function<bool()>& settled);

} // namespace hk::base
