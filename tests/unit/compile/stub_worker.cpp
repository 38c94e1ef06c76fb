// Workers that misbehave. The name under which this program is started says how. As "count" it records when it works,
// as "find-worker" it is no worker but a program with libhk linked in: it prints where it finds one, or why not.

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "compile/build_id.h"
#include "compile/frame_channel.h"
#include "compile/worker_location.h"

using namespace hk;
using namespace hk::compile;

namespace {

constexpr int k_socket = 3;

auto soon() {
  return FrameChannel::Clock::now() + std::chrono::seconds(20);
}

void send_raw(const std::string& bytes) {
  (void)::send(k_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

void say_hello(FrameChannel& channel, const std::string& id, Status status = {}) {
  (void)channel.send(FrameKind::hello, encode(HelloMessage{id, std::move(status)}), soon());
}

// What happens instead of a hello. Returns false if the behaviour begins later.
bool misbehave_at_start(const std::string& behaviour, FrameChannel& channel) {
  if (behaviour == "hang-at-start")
    ::pause();
  else if (behaviour == "garbage-at-start")
    send_raw("this is not a frame, but it is long enough to be the head of one");
  else if (behaviour == "exit-at-start") {
    std::fputs("stub: cannot start\n", stderr);
    return true;
  } else if (behaviour == "other-build")
    say_hello(channel, "0.0.0-another");
  else if (behaviour == "no-hiprtc")
    say_hello(channel, std::string(build_id()), Status(StatusCode::no_compiler, "stub has no hipRTC"));
  else
    return false;
  ::pause();
  return true;
}

void misbehave_at_request(const std::string& behaviour, FrameChannel& channel) {
  if (behaviour == "retire")
    ::_exit(0);
  if (behaviour == "abort") {
    std::fputs("stub: free(): invalid pointer\n", stderr);
    std::raise(SIGABRT);
  }
  if (behaviour == "exit-1") {
    std::fputs("stub: LLVM ERROR: IO failure on output stream\n", stderr);
    ::_exit(1);
  }
  if (behaviour == "talkative") {
    const std::string line(1023, 'x');
    for (int i = 0; i < 1024; ++i) // a megabyte: much more than a pipe holds
      std::fprintf(stderr, "%s\n", line.c_str());
    std::fputs("stub: last words\n", stderr);
    ::_exit(3);
  }
  if (behaviour == "garbage")
    send_raw("this is not a frame, but it is long enough to be the head of one");
  if (behaviour == "short-frame") {
    base::Bytes frame = encode_frame(FrameKind::reply, encode(ReplyMessage{}));
    frame.pop_back();
    send_raw(std::string(base::as_text(frame)));
    ::_exit(0);
  }
  if (behaviour == "flipped-bit") {
    base::Bytes frame = encode_frame(FrameKind::reply, encode(ReplyMessage{}));
    frame[k_frame_header_size] ^= std::byte{1};
    send_raw(std::string(base::as_text(frame)));
  }
  if (behaviour == "wrong-kind")
    say_hello(channel, std::string(build_id()));
  if (behaviour == "huge-length")
    send_raw(std::string("HKcw\3\0\0\0\0\0\0\0\0\0\0\x7f\0\0\0\0\0\0\0\0", 24));
  if (behaviour == "empty-answer")
    (void)channel.send(FrameKind::reply, encode(ReplyMessage{}), soon());
  ::pause();
}

// Writes a + when a request comes and a - before it is answered to the file "record" beside its private folder.
void count_requests(FrameChannel& channel) {
  constexpr useconds_t k_work = 10000;
  const char* folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder != nullptr ? folder : "") + "/../record";
  const base::UniqueFd record(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  const base::Bytes answer =
      encode(ReplyMessage{Status(StatusCode::compile_failed, "stub only counts"), {}, {}, 0, 0, {}});
  Frame frame;
  while (channel.receive(frame, soon()) == Transfer::done) {
    if (::write(record.get(), "+", 1) != 1)
      return;
    ::usleep(k_work);
    if (::write(record.get(), "-", 1) != 1 || channel.send(FrameKind::reply, answer, soon()) != Transfer::done)
      return;
  }
}

int print_worker() {
  const auto worker = find_worker("");
  std::puts(worker ? worker->c_str() : worker.error().message.c_str());
  return worker ? 0 : 1;
}

} // namespace

int main(int, char** arguments) {
  const struct rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const std::string path = arguments[0];
  const std::string behaviour = path.substr(path.rfind('/') + 1);
  if (behaviour == "find-worker")
    return print_worker();
  FrameChannel channel{base::UniqueFd(k_socket)};
  if (misbehave_at_start(behaviour, channel))
    return 5;
  say_hello(channel, std::string(build_id()));
  if (behaviour == "count") {
    count_requests(channel);
    return 0;
  }
  Frame frame;
  if (channel.receive(frame, soon()) == Transfer::done)
    misbehave_at_request(behaviour, channel);
  return 0;
}
