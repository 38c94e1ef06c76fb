#include "unit/cache/intercepted_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

namespace {

hk::test::InterceptedCalls* active = nullptr;

using hk::test::SystemCall;

template <typename Perform>
long passed(SystemCall call, const char* path, const Perform& perform) {
  const int verdict = active != nullptr ? active->ask(call, path) : 0;
  const long result = verdict > 0 ? -1 : perform();
  if (verdict == 0)
    return result;
  errno = verdict > 0 ? verdict : -verdict;
  return -1;
}

std::size_t limited(std::size_t count) {
  return active != nullptr ? std::min(count, active->largest_transfer) : count;
}

} // namespace

namespace hk::test {

InterceptedCalls::InterceptedCalls(Filter filter) : m_filter(std::move(filter)) {
  active = this;
}

InterceptedCalls::~InterceptedCalls() {
  active = nullptr;
}

} // namespace hk::test

extern "C" {

int openat(int folder, const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return static_cast<int>(
      passed(SystemCall::open, path, [&] { return ::syscall(SYS_openat, folder, path, flags, mode); }));
}

ssize_t read(int file, void* bytes, size_t count) {
  return passed(SystemCall::read, nullptr, [&] { return ::syscall(SYS_read, file, bytes, limited(count)); });
}

ssize_t write(int file, const void* bytes, size_t count) {
  return passed(SystemCall::write, nullptr, [&] { return ::syscall(SYS_write, file, bytes, limited(count)); });
}

int fsync(int file) {
  return static_cast<int>(passed(SystemCall::sync, nullptr, [&] { return ::syscall(SYS_fsync, file); }));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return static_cast<int>(
      passed(SystemCall::link, to, [&] { return ::syscall(SYS_linkat, from_folder, from, to_folder, to, flags); }));
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return static_cast<int>(
      passed(SystemCall::rename, to, [&] { return ::syscall(SYS_renameat2, from_folder, from, to_folder, to, 0); }));
}

int mkdir(const char* path, mode_t mode) noexcept {
  return static_cast<int>(
      passed(SystemCall::make_folder, path, [&] { return ::syscall(SYS_mkdirat, AT_FDCWD, path, mode); }));
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  return static_cast<int>(
      passed(SystemCall::make_folder, path, [&] { return ::syscall(SYS_mkdirat, folder, path, mode); }));
}

int chmod(const char* path, mode_t mode) noexcept {
  return static_cast<int>(
      passed(SystemCall::change_mode, path, [&] { return ::syscall(SYS_fchmodat, AT_FDCWD, path, mode); }));
}

int fchmodat(int folder, const char* path, mode_t mode, int) noexcept {
  return static_cast<int>(
      passed(SystemCall::change_mode, path, [&] { return ::syscall(SYS_fchmodat, folder, path, mode); }));
}

int fchmod(int file, mode_t mode) noexcept {
  return static_cast<int>(passed(SystemCall::change_mode, nullptr, [&] { return ::syscall(SYS_fchmod, file, mode); }));
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  return static_cast<int>(
      passed(SystemCall::unlink, path, [&] { return ::syscall(SYS_unlinkat, folder, path, flags); }));
}

// Only open-file-description locks are asked about; they are the only locks here.
int fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  const auto perform = [&] { return ::syscall(SYS_fcntl, file, command, argument); };
  if (command != F_OFD_SETLK)
    return static_cast<int>(perform());
  return static_cast<int>(passed(SystemCall::lock, nullptr, perform));
}

int utimensat(int folder, const char* path, const timespec times[2], int flags) noexcept {
  return static_cast<int>(
      passed(SystemCall::set_times, path, [&] { return ::syscall(SYS_utimensat, folder, path, times, flags); }));
}

} // extern "C"
