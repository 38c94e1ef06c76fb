#include "base/files.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "base/write_without_signal.h"

namespace hk::base {

FileError file_error(std::string_view call, std::string_view object, int number) {
  std::array<char, 128> room{};
  const char* text = ::strerror_r(number, room.data(), room.size());
  const char* name = ::strerrorname_np(number);
  std::string message;
  message.append(call).append(" ").append(object).append(": ").append(text);
  message.append(" (").append(name != nullptr ? name : std::to_string(number)).append(")");
  return FileError{number, std::move(message)};
}

UniqueFd above_standard_streams(UniqueFd descriptor) noexcept {
  if (!descriptor.valid() || descriptor.get() > STDERR_FILENO)
    return descriptor;
  UniqueFd copy(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  return copy.valid() ? std::move(copy) : std::move(descriptor);
}

FileResult<UniqueFd> open_file(int folder, const std::string& path, int flags, mode_t mode) {
  int descriptor = -1;
  do {
    descriptor = ::openat(folder, path.c_str(), flags | O_CLOEXEC, mode);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0)
    return file_failure("open", path);
  return above_standard_streams(UniqueFd(descriptor));
}

FileResult<Bytes> read_all(int descriptor, std::uint64_t max_bytes, const std::string& name) {
  // The size is only a hint: files in /proc say 0, and a file may grow or shrink while it is read. Some of them give
  // their whole text to the first read or never, so that one must have room.
  struct stat information{};
  if (::fstat(descriptor, &information) != 0)
    return file_failure("stat", name);
  const auto hint = static_cast<std::uint64_t>(std::max<off_t>(information.st_size, 0));
  constexpr std::uint64_t k_step = 1 << 16;
  Bytes bytes(static_cast<std::size_t>(std::max(std::min(hint, max_bytes) + 1, k_step)));
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size())
      bytes.resize(bytes.size() + k_step);
    const ssize_t count = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return file_failure("read", name);
    if (count == 0)
      break;
    filled += static_cast<std::size_t>(count);
    if (filled > max_bytes)
      return file_failure("read", name, EFBIG);
  }
  bytes.resize(filled);
  return bytes;
}

FileResult<Bytes> read_file(const std::string& path, std::uint64_t max_bytes) {
  auto file = open_file(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!file)
    return tl::unexpected<FileError>(std::move(file.error()));
  struct stat information{};
  if (::fstat(file->get(), &information) != 0)
    return file_failure("stat", path);
  if (!S_ISREG(information.st_mode))
    return file_failure("read (not a regular file)", path, EINVAL);
  return read_all(file->get(), max_bytes, path);
}

FileResult<void> write_all(int descriptor, ByteView bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = write_without_signal(descriptor, bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return file_failure("write", name);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

FileResult<void> sync_file(int descriptor, const std::string& name) {
  if (::fsync(descriptor) != 0)
    return file_failure("fsync", name);
  return {};
}

FileResult<void> sync_folder(int descriptor, const std::string& name) {
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS)
    return file_failure("fsync", name);
  return {};
}

FileResult<std::string> random_name() {
  std::array<std::byte, 16> random{};
  std::size_t filled = 0;
  while (filled < random.size()) {
    const ssize_t count = ::getrandom(random.data() + filled, random.size() - filled, 0);
    if (count < 0 && errno != EINTR)
      return file_failure("getrandom", "");
    if (count > 0)
      filled += static_cast<std::size_t>(count);
  }
  return to_hex(ByteView(random));
}

} // namespace hk::base
