#pragma once
// FrameChannel: sends and receives whole frames of worker_protocol.h over a socket, with a deadline.

#include <chrono>
#include <optional>

#include "base/bytes.h"
#include "base/unique_fd.h"
#include "compile/captured_output.h"
#include "compile/worker_protocol.h"

namespace hk::compile {

enum class Transfer {
  done,
  closed,    // the other end is gone
  timed_out, // the deadline passed
  damaged,   // not a frame, or its checksum is wrong
};

struct Frame {
  FrameKind kind = FrameKind::hello;
  base::Bytes payload;
};

class FrameChannel {
 public:
  using Clock = std::chrono::steady_clock;

  // `companion`, if not null, is drained while the channel waits, so that its writer never stalls; it must outlive the
  // channel.
  explicit FrameChannel(base::UniqueFd socket, CapturedOutput* companion = nullptr)
      : m_socket(std::move(socket)), m_companion(companion) {}

  // After anything but `done` the channel is of no further use.
  Transfer send(FrameKind kind, base::ByteView payload, Clock::time_point deadline);
  Transfer receive(Frame& frame, Clock::time_point deadline);

  // Ends the conversation for both sides, even where a forked process holds a copy of the socket.
  void shut_down() noexcept;

 private:
  Transfer send_bytes(base::ByteView bytes, Clock::time_point deadline);
  Transfer receive_bytes(std::span<std::byte> bytes, Clock::time_point deadline);
  // Until the socket is ready for `events`.
  Transfer wait(short events, Clock::time_point deadline);

  base::UniqueFd m_socket;
  CapturedOutput* m_companion;
};

} // namespace hk::compile
