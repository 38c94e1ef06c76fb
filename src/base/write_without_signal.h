#pragma once
// write() that fails with an error number where the kernel would also send a signal that ends the program: SIGXFSZ for
// a file beyond the process's limit (ulimit -f), SIGPIPE for a pipe that nobody reads. Neither is a reason for the
// library to end its host.

#include <sys/types.h>

#include "base/bytes.h"

namespace hk::base {

// As write(): may write less, and leaves EINTR, EFBIG or EPIPE in errno. Whatever the host program does with the two
// signals stays as it is.
ssize_t write_without_signal(int descriptor, ByteView bytes) noexcept;

} // namespace hk::base
