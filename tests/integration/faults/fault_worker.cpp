// A compile worker that speaks the protocol and answers every request with a compiler's refusal.

#include <chrono>
#include <string>

#include "compile/build_id.h"
#include "compile/frame_channel.h"
#include "compile/worker_protocol.h"

using namespace hk;
using namespace hk::compile;

int main() {
  constexpr int k_socket = 3;
  constexpr std::chrono::seconds k_patience{20};
  FrameChannel channel{base::UniqueFd(k_socket)};
  const auto deadline = FrameChannel::Clock::now() + k_patience;
  (void)channel.send(FrameKind::hello, encode(HelloMessage{std::string(build_id()), {}}), deadline);
  Frame frame;
  while (channel.receive(frame, FrameChannel::Clock::now() + k_patience) == Transfer::done) {
    ReplyMessage reply;
    reply.status = Status(StatusCode::compile_failed, "hipRTC refused 'kernel.hip'; the detail holds its log",
                          "kernel.hip:12:3: error: use of undeclared identifier 'tile'");
    (void)channel.send(FrameKind::reply, encode(reply), FrameChannel::Clock::now() + k_patience);
  }
  return 0;
}
