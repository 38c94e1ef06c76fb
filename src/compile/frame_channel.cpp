#include "compile/frame_channel.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

#include "base/hash.h"

namespace hk::compile {
namespace {

// Payloads grow as they arrive, so that a false length does not allocate what never comes.
constexpr std::uint64_t k_step = 1 << 20;

} // namespace

Transfer FrameChannel::wait(short events, Clock::time_point deadline) {
  bool companion_open = m_companion != nullptr;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0)
      return Transfer::timed_out;
    std::array<pollfd, 2> descriptors = {pollfd{m_socket.get(), events, 0},
                                         pollfd{companion_open ? m_companion->read_end() : -1, POLLIN, 0}};
    const int ready = ::poll(descriptors.data(), descriptors.size(), static_cast<int>(std::min<long>(left, 1 << 30)));
    if (ready < 0 && errno != EINTR)
      return Transfer::closed;
    if (ready <= 0)
      continue;
    if (descriptors[1].revents != 0) {
      m_companion->drain();
      companion_open = (descriptors[1].revents & POLLIN) != 0; // a mere hang-up would be reported for ever
    }
    if (descriptors[0].revents != 0)
      return Transfer::done;
  }
}

Transfer FrameChannel::send_bytes(base::ByteView bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (const Transfer waited = wait(POLLOUT, deadline); waited != Transfer::done)
        return waited;
    } else if (errno != EINTR) {
      return Transfer::closed;
    }
  }
  return Transfer::done;
}

Transfer FrameChannel::receive_bytes(std::span<std::byte> bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const ssize_t count = ::recv(m_socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count == 0)
      return Transfer::closed;
    if (count > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (const Transfer waited = wait(POLLIN, deadline); waited != Transfer::done)
        return waited;
    } else if (errno != EINTR) {
      return Transfer::closed;
    }
  }
  return Transfer::done;
}

Transfer FrameChannel::send(FrameKind kind, base::ByteView payload, Clock::time_point deadline) {
  return send_bytes(encode_frame(kind, payload), deadline);
}

Transfer FrameChannel::receive(Frame& frame, Clock::time_point deadline) {
  std::array<std::byte, k_frame_header_size> head{};
  if (const Transfer received = receive_bytes(head, deadline); received != Transfer::done)
    return received;
  const auto header = decode_frame_header(head);
  if (!header)
    return Transfer::damaged;
  frame.kind = header->kind;
  frame.payload.clear();
  while (frame.payload.size() < header->payload_size) {
    const std::size_t filled = frame.payload.size();
    frame.payload.resize(filled + std::min(k_step, header->payload_size - filled));
    const Transfer received = receive_bytes(std::span(frame.payload).subspan(filled), deadline);
    if (received != Transfer::done)
      return received;
  }
  return base::hash64(frame.payload) == header->payload_hash ? Transfer::done : Transfer::damaged;
}

void FrameChannel::shut_down() noexcept {
  if (m_socket.valid())
    ::shutdown(m_socket.get(), SHUT_RDWR);
}

} // namespace hk::compile
