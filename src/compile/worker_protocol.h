#pragma once
// What a compile client and hk-compile-worker say to each other over a socket pair.
//
//   worker -> client   hello     once, after the libraries are open: HelloMessage
//   client -> worker   request   CompileRequest
//   worker -> client   reply     ReplyMessage, one for each request
// A frame is: magic "HKcw" (4 bytes), kind (uint32), payload size (uint64), XXH3-64 of the payload (uint64), payload;
// integers little-endian. Texts and lists start with their length (uint64). Both ends are of one build (the hello says
// so), hence no version negotiation.

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "compile/library_identity.h"
#include "compile/request.h"

namespace hk::compile {

inline constexpr std::uint32_t k_frame_magic = 0x77634b48; // "HKcw"
inline constexpr std::size_t k_frame_header_size = 24;
// Larger than any request or code object; a header that says more is damaged.
inline constexpr std::uint64_t k_maximum_payload = std::uint64_t{256} << 20;

enum class FrameKind : std::uint32_t { hello = 1, request = 2, reply = 3 };

struct FrameHeader {
  FrameKind kind = FrameKind::hello;
  std::uint64_t payload_size = 0;
  std::uint64_t payload_hash = 0;
};

base::Bytes encode_frame(FrameKind kind, base::ByteView payload);
// Of the first k_frame_header_size bytes. Fails with internal if they are no header.
Result<FrameHeader> decode_frame_header(base::ByteView bytes);

struct HelloMessage {
  std::string build_id; // hk::compile::build_id() of the worker
  Status status;        // success, or why the compiler could not be opened
};

struct ReplyMessage {
  Status status; // of the compile
  base::Bytes code_object;
  std::string log;
  double compile_ms = 0;
  std::uint64_t peak_rss_kib = 0;
  std::vector<LibraryIdentity> mapped; // the libraries of the compiler in the worker's address space
};

base::Bytes encode(const HelloMessage& message);
base::Bytes encode(const CompileRequest& request);
base::Bytes encode(const ReplyMessage& message);

// Fail with internal if the payload is not exactly one such message.
Result<HelloMessage> decode_hello(base::ByteView payload);
Result<CompileRequest> decode_request(base::ByteView payload);
Result<ReplyMessage> decode_reply(base::ByteView payload);

} // namespace hk::compile
