#include "base/write_without_signal.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace hk::base {
namespace {

// Blocks the two signals in this thread, to which alone the kernel sends them, and takes back what a write has sent.
class HeldSignals {
 public:
  HeldSignals() noexcept {
    sigset_t pending;
    ::sigemptyset(&pending);
    ::sigpending(&pending);
    ::sigemptyset(&m_signals);
    for (const int number : {SIGXFSZ, SIGPIPE}) {
      // One that waits already is blocked, and the host's own.
      if (::sigismember(&pending, number) == 0)
        ::sigaddset(&m_signals, number);
    }
    ::pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

  void take_back() const noexcept {
    const timespec at_once{};
    while (::sigtimedwait(&m_signals, nullptr, &at_once) < 0 && errno == EINTR)
      continue;
  }

 private:
  sigset_t m_signals{};
  sigset_t m_before{};
};

} // namespace

ssize_t write_without_signal(int descriptor, ByteView bytes) noexcept {
  const HeldSignals held;
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  const int number = errno;
  if (written < 0 && (number == EFBIG || number == EPIPE))
    held.take_back();
  errno = number;
  return written;
}

} // namespace hk::base
