#include "compile/worker_protocol.h"

#include <array>
#include <random>
#include <thread>

#include <sys/socket.h>

#include "compile/frame_channel.h"
#include "fixture.h"

using namespace hk;
using namespace hk::compile;

TEST_SUITE_BEGIN("worker_protocol");

namespace {

CompileRequest full_request() {
  CompileRequest request = vector_add_request();
  request.headers.push_back({"empty.h", ""});
  request.options = {"-DA=1", "-DB=2"};
  request.scratch_allowed = true;
  request.limits.wall = std::chrono::milliseconds(1234);
  request.limits.address_space = 5678;
  return request;
}

ReplyMessage full_reply() {
  ReplyMessage reply;
  reply.status = Status(StatusCode::compile_failed, "message", "detail");
  reply.code_object = {std::byte{1}, std::byte{0}, std::byte{255}};
  reply.log = "log";
  reply.compile_ms = 12.5;
  reply.peak_rss_kib = 99;
  reply.mapped = {{"libhiprtc.so.6", "/a", "11"}, {"libamd_comgr.so.3", "/b", "22"}};
  return reply;
}

// Every shortened form of a payload must be refused, and so must one with a byte too many.
template <typename Decode>
void check_lengths(const base::Bytes& payload, Decode decode) {
  REQUIRE(decode(payload).has_value());
  for (std::size_t size = 0; size < payload.size(); ++size)
    CHECK_FALSE(decode(base::Bytes(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size))).has_value());
  base::Bytes longer(payload);
  longer.push_back(std::byte{0});
  CHECK_FALSE(decode(longer).has_value());
}

struct SocketPair {
  SocketPair() {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    first = base::UniqueFd(ends[0]);
    second = base::UniqueFd(ends[1]);
  }
  base::UniqueFd first;
  base::UniqueFd second;
};

auto soon() {
  return FrameChannel::Clock::now() + std::chrono::seconds(10);
}

} // namespace

TEST_CASE("A request comes out as it went in") {
  const CompileRequest sent = full_request();
  const auto received = decode_request(encode(sent));
  REQUIRE(received.has_value());
  CHECK(received->program_name == sent.program_name);
  CHECK(received->source == sent.source);
  REQUIRE(received->headers.size() == 2);
  CHECK(received->headers[0].name == sent.headers[0].name);
  CHECK(received->headers[0].text == sent.headers[0].text);
  CHECK(received->headers[1].text.empty());
  CHECK(received->options == sent.options);
  CHECK(received->target_id == sent.target_id);
  CHECK(received->symbol == sent.symbol);
  CHECK(received->scratch_allowed);
  CHECK(received->limits.wall == sent.limits.wall);
  CHECK(received->limits.address_space == sent.limits.address_space);
}

TEST_CASE("A reply comes out as it went in") {
  const ReplyMessage sent = full_reply();
  const auto received = decode_reply(encode(sent));
  REQUIRE(received.has_value());
  CHECK(received->status.code == sent.status.code);
  CHECK(received->status.message == sent.status.message);
  CHECK(received->status.detail == sent.status.detail);
  CHECK(received->code_object == sent.code_object);
  CHECK(received->log == sent.log);
  CHECK(received->compile_ms == sent.compile_ms);
  CHECK(received->peak_rss_kib == sent.peak_rss_kib);
  CHECK(received->mapped == sent.mapped);
}

TEST_CASE("Payloads that are too short or too long are refused") {
  check_lengths(encode(full_request()), decode_request);
  check_lengths(encode(full_reply()), decode_reply);
  check_lengths(encode(HelloMessage{"build", Status(StatusCode::no_compiler, "a", "b")}), decode_hello);
}

TEST_CASE("Random damage of payloads does no harm") {
  std::mt19937_64 random(7);
  for (const base::Bytes& payload : {encode(full_request()), encode(full_reply())})
    for (int round = 0; round < 5000; ++round) {
      base::Bytes damaged(payload);
      for (int i = 0; i <= round % 4; ++i)
        damaged[random() % damaged.size()] = static_cast<std::byte>(random());
      const auto request = decode_request(damaged);
      const auto reply = decode_reply(damaged);
      CHECK((request.has_value() || request.error().code == StatusCode::internal));
      CHECK((reply.has_value() || reply.error().code == StatusCode::internal));
    }
}

TEST_CASE("A status code that no release has is refused") {
  base::Bytes payload = encode(full_reply());
  payload[0] = std::byte{18};
  CHECK_FALSE(decode_reply(payload).has_value());
}

TEST_CASE("Frames cross a socket, also such that exceed its buffer") {
  SocketPair sockets;
  FrameChannel client(std::move(sockets.first));
  FrameChannel worker(std::move(sockets.second));
  base::Bytes payload(5 << 20);
  for (std::size_t i = 0; i < payload.size(); ++i)
    payload[i] = static_cast<std::byte>(i * 7);
  Transfer sent = Transfer::closed;
  std::thread sender([&] { sent = client.send(FrameKind::request, payload, soon()); });
  Frame frame;
  const Transfer received = worker.receive(frame, soon());
  sender.join();
  CHECK(sent == Transfer::done);
  REQUIRE(received == Transfer::done);
  CHECK(frame.kind == FrameKind::request);
  CHECK(frame.payload == payload);
}

TEST_CASE("An empty payload is a frame") {
  SocketPair sockets;
  FrameChannel client(std::move(sockets.first));
  FrameChannel worker(std::move(sockets.second));
  CHECK(client.send(FrameKind::hello, {}, soon()) == Transfer::done);
  Frame frame;
  CHECK(worker.receive(frame, soon()) == Transfer::done);
  CHECK(frame.payload.empty());
}

TEST_CASE("The other end's silence, absence and nonsense are told apart") {
  const auto shortly = [] { return FrameChannel::Clock::now() + std::chrono::milliseconds(30); };
  Frame frame;
  {
    SocketPair sockets;
    FrameChannel client(std::move(sockets.first));
    CHECK(client.receive(frame, shortly()) == Transfer::timed_out);
    CHECK(client.send(FrameKind::hello, base::Bytes(16 << 20), shortly()) == Transfer::timed_out);
    sockets.second.reset();
    CHECK(client.send(FrameKind::hello, {}, shortly()) == Transfer::closed);
  }
  SocketPair sockets;
  FrameChannel client(std::move(sockets.first));
  base::Bytes bytes = encode_frame(FrameKind::reply, base::as_bytes("payload"));
  bytes.back() ^= std::byte{1};
  REQUIRE(::send(sockets.second.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  CHECK(client.receive(frame, soon()) == Transfer::damaged);
}

TEST_SUITE_END();
