#include "compile/captured_output.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/files.h"

namespace hk::compile {
namespace {

constexpr std::size_t k_kept = 64 << 10; // bytes

} // namespace

Result<CapturedOutput> CapturedOutput::create() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(StatusCode::no_compiler, std::string("no pipe for the compile worker: ") + ::strerrordesc_np(errno) +
                                             "; close descriptors or raise the limit (ulimit -n)");
  CapturedOutput output;
  output.m_read_end = base::above_standard_streams(base::UniqueFd(ends[0]));
  output.m_write_end = base::above_standard_streams(base::UniqueFd(ends[1]));
  // The reading end only: the two ends are open files of their own, and the worker shall wait for room as usual.
  if (::fcntl(output.m_read_end.get(), F_SETFL, O_NONBLOCK) != 0)
    return fail(StatusCode::internal, std::string("no pipe for the compile worker: ") + ::strerrordesc_np(errno));
  return output;
}

void CapturedOutput::drain() {
  std::array<char, 4096> piece{};
  while (true) {
    const ssize_t count = ::read(m_read_end.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    m_text.append(piece.data(), static_cast<std::size_t>(count));
    if (m_text.size() > k_kept)
      m_text.erase(0, m_text.size() - k_kept);
  }
}

std::string CapturedOutput::take() {
  drain();
  return std::exchange(m_text, {});
}

} // namespace hk::compile
