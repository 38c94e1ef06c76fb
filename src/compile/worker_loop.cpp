#include "compile/worker_loop.h"

#include <algorithm>

#include <sys/resource.h>

#include "compile/address_space_limit.h"
#include "compile/build_id.h"
#include "compile/compiler_library.h"
#include "compile/frame_channel.h"
#include "compile/mapped_libraries.h"

namespace hk::compile {
namespace {

// The client takes an answer and sends its first request at once, or it is gone.
constexpr std::chrono::seconds k_prompt{30};

ReplyMessage answer(const CompilerLibrary& library, const CompileRequest& request) {
  limit_address_space(request.limits.address_space);
  ReplyMessage reply;
  if (auto output = library.compile(request)) {
    reply.code_object = std::move(output->code_object);
    reply.log = std::move(output->log);
    reply.compile_ms = output->milliseconds;
  } else {
    reply.status = std::move(output.error());
  }
  struct rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0)
    reply.peak_rss_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
  reply.mapped = mapped_compiler_libraries();
  return reply;
}

} // namespace

int run_worker(WorkerArguments arguments) {
  FrameChannel channel(std::move(arguments.socket));
  const auto library = open_compiler_library(arguments.platform, arguments.library_path, arguments.support_path);
  const HelloMessage hello{std::string(build_id()), library ? Status() : library.error()};
  const auto within = [](std::chrono::milliseconds limit) { return FrameChannel::Clock::now() + limit; };
  if (channel.send(FrameKind::hello, encode(hello), within(k_prompt)) != Transfer::done || !library)
    return 1;
  // A client starts a worker to use it: it is given its time however short the idle limit is.
  auto limit = std::max<std::chrono::milliseconds>(arguments.idle_limit, k_prompt);
  while (true) {
    Frame frame;
    const Transfer received = channel.receive(frame, within(limit));
    if (received == Transfer::closed || received == Transfer::timed_out)
      return 0;
    const auto request = decode_request(frame.payload);
    if (received != Transfer::done || frame.kind != FrameKind::request || !request)
      return 1;
    const base::Bytes reply = encode(answer(**library, *request));
    if (channel.send(FrameKind::reply, reply, within(k_prompt)) != Transfer::done)
      return 0;
    limit = arguments.idle_limit;
  }
}

} // namespace hk::compile
