#pragma once
// Files, the POSIX way, with every error read.
//
// Functions return FileResult: the error number decides (the cache treats ENOENT and ESTALE as a miss), and it turns
// into a Status by itself in a function that returns Status or Result. Paths are relative to a folder descriptor where
// one is given (AT_FDCWD = the current folder). Every descriptor is opened with O_CLOEXEC and is none of the standard
// streams; EINTR is retried.

#include <fcntl.h>
#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace hk::base {

struct FileError {
  int number = 0;      // errno
  std::string message; // "open /a/b: No such file or directory (ENOENT)"

  // INTERNAL unless the caller knows better.
  [[nodiscard]] Status status(StatusCode code = StatusCode::internal) const { return Status(code, message); }
  operator Status() const { return status(); } // NOLINT: implicit, so that HK_ASSIGN_OR_RETURN accepts a FileResult
};

template <typename T>
using FileResult = tl::expected<T, FileError>;

// The failure of a system call on an object; the default is what the call just left in errno.
FileError file_error(std::string_view call, std::string_view object, int number = errno);

inline tl::unexpected<FileError> file_failure(std::string_view call, std::string_view object, int number = errno) {
  return tl::unexpected<FileError>(file_error(call, object, number));
}

// "folder/name"
inline std::string path_in(const std::string& folder, std::string_view name) {
  std::string path = folder;
  return path.append("/").append(name);
}

// The numbers 0 to 2 are free in a program that was started without its standard streams, and what such a program
// prints goes to whatever has them. Moves a descriptor above them; if no number is left, it stays where it is.
UniqueFd above_standard_streams(UniqueFd descriptor) noexcept;

FileResult<UniqueFd> open_file(int folder, const std::string& path, int flags, mode_t mode = 0);

// Reads to the end of file; EFBIG if there is more than max_bytes. `name` is for messages.
FileResult<Bytes> read_all(int descriptor, std::uint64_t max_bytes, const std::string& name);

// Opens and reads a regular file; a FIFO, device or folder is EINVAL and never blocks. Symbolic links are followed.
FileResult<Bytes> read_file(const std::string& path, std::uint64_t max_bytes);

// Writes everything, or fails, without a signal; a short write is continued.
FileResult<void> write_all(int descriptor, ByteView bytes, const std::string& name);

FileResult<void> sync_file(int descriptor, const std::string& name);

// Makes names in a folder durable. A file system that cannot sync folders (EINVAL, ENOTSUP) is not an error.
FileResult<void> sync_folder(int descriptor, const std::string& name);

// 32 hexadecimal digits from the kernel's random source: temporary names never collide between hosts or containers.
FileResult<std::string> random_name();

} // namespace hk::base
