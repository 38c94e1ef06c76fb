#include "compile/worker_protocol.h"

#include <bit>

#include "base/hash.h"

namespace hk::compile {
namespace {

Status garbled(const char* what) {
  return {StatusCode::internal, std::string("the compile worker's ") + what +
                                    " is damaged; if it happens again, reinstall hk and report this as a bug"};
}

void write_text(base::ByteWriter& writer, std::string_view text) {
  writer.write(std::uint64_t{text.size()}).write_bytes(base::as_bytes(text));
}

void write_status(base::ByteWriter& writer, const Status& status) {
  writer.write(static_cast<std::int32_t>(status.code));
  write_text(writer, status.message);
  write_text(writer, status.detail);
}

void write_library(base::ByteWriter& writer, const LibraryIdentity& library) {
  write_text(writer, library.soname);
  write_text(writer, library.path);
  write_text(writer, library.build_id);
}

// Reads fields one after the other and remembers whether all were there.
class FieldReader {
 public:
  explicit FieldReader(base::ByteView payload) : m_reader(payload) {}

  template <typename Integer>
  Integer integer() {
    Integer value{};
    m_good = m_good && m_reader.read(value);
    return value;
  }

  base::ByteView bytes() {
    base::ByteView view;
    const auto size = integer<std::uint64_t>();
    m_good = m_good && m_reader.read_bytes(size, view);
    return m_good ? view : base::ByteView();
  }

  std::string text() { return std::string(base::as_text(bytes())); }

  // A number of elements that each take at least eight bytes.
  std::uint64_t count() {
    const auto number = integer<std::uint64_t>();
    m_good = m_good && number <= m_reader.remaining() / 8;
    return m_good ? number : 0;
  }

  Status status() {
    const auto code = integer<std::int32_t>();
    m_good = m_good && code >= 0 && code <= static_cast<std::int32_t>(StatusCode::internal);
    std::string message = text();
    std::string detail = text();
    return {m_good ? static_cast<StatusCode>(code) : StatusCode::internal, std::move(message), std::move(detail)};
  }

  LibraryIdentity library() {
    LibraryIdentity identity;
    identity.soname = text();
    identity.path = text();
    identity.build_id = text();
    return identity;
  }

  [[nodiscard]] bool complete() const { return m_good && m_reader.remaining() == 0; }

 private:
  base::ByteReader m_reader;
  bool m_good = true;
};

} // namespace

base::Bytes encode_frame(FrameKind kind, base::ByteView payload) {
  base::ByteWriter writer;
  writer.reserve(k_frame_header_size + payload.size());
  writer.write(k_frame_magic).write(static_cast<std::uint32_t>(kind));
  writer.write(std::uint64_t{payload.size()}).write(base::hash64(payload)).write_bytes(payload);
  return writer.take();
}

Result<FrameHeader> decode_frame_header(base::ByteView bytes) {
  FieldReader reader(bytes.first(std::min(bytes.size(), k_frame_header_size)));
  const auto magic = reader.integer<std::uint32_t>();
  const auto kind = reader.integer<std::uint32_t>();
  FrameHeader header;
  header.payload_size = reader.integer<std::uint64_t>();
  header.payload_hash = reader.integer<std::uint64_t>();
  if (!reader.complete() || magic != k_frame_magic || kind < 1 || kind > 3 || header.payload_size > k_maximum_payload)
    return fail(garbled("message"));
  header.kind = static_cast<FrameKind>(kind);
  return header;
}

base::Bytes encode(const HelloMessage& message) {
  base::ByteWriter writer;
  write_text(writer, message.build_id);
  write_status(writer, message.status);
  return writer.take();
}

base::Bytes encode(const CompileRequest& request) {
  base::ByteWriter writer;
  write_text(writer, request.program_name);
  write_text(writer, request.source);
  writer.write(std::uint64_t{request.headers.size()});
  for (const SourceHeader& header : request.headers) {
    write_text(writer, header.name);
    write_text(writer, header.text);
  }
  writer.write(std::uint64_t{request.options.size()});
  for (const std::string& option : request.options)
    write_text(writer, option);
  write_text(writer, request.target_id);
  write_text(writer, request.symbol);
  writer.write(std::uint8_t{request.scratch_allowed});
  writer.write(std::int64_t{request.limits.wall.count()}).write(request.limits.address_space);
  return writer.take();
}

base::Bytes encode(const ReplyMessage& message) {
  base::ByteWriter writer;
  write_status(writer, message.status);
  writer.write(std::uint64_t{message.code_object.size()}).write_bytes(message.code_object);
  write_text(writer, message.log);
  writer.write(std::bit_cast<std::uint64_t>(message.compile_ms)).write(message.peak_rss_kib);
  writer.write(std::uint64_t{message.mapped.size()});
  for (const LibraryIdentity& library : message.mapped)
    write_library(writer, library);
  return writer.take();
}

Result<HelloMessage> decode_hello(base::ByteView payload) {
  FieldReader reader(payload);
  HelloMessage message;
  message.build_id = reader.text();
  message.status = reader.status();
  if (!reader.complete())
    return fail(garbled("greeting"));
  return message;
}

Result<CompileRequest> decode_request(base::ByteView payload) {
  FieldReader reader(payload);
  CompileRequest request;
  request.program_name = reader.text();
  request.source = reader.text();
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    std::string name = reader.text();
    request.headers.push_back({std::move(name), reader.text()});
  }
  for (std::uint64_t left = reader.count(); left > 0; --left)
    request.options.push_back(reader.text());
  request.target_id = reader.text();
  request.symbol = reader.text();
  request.scratch_allowed = reader.integer<std::uint8_t>() != 0;
  request.limits.wall = std::chrono::milliseconds(reader.integer<std::int64_t>());
  request.limits.address_space = reader.integer<std::uint64_t>();
  if (!reader.complete())
    return fail(garbled("request"));
  return request;
}

Result<ReplyMessage> decode_reply(base::ByteView payload) {
  FieldReader reader(payload);
  ReplyMessage message;
  message.status = reader.status();
  const base::ByteView code_object = reader.bytes();
  message.code_object.assign(code_object.begin(), code_object.end());
  message.log = reader.text();
  message.compile_ms = std::bit_cast<double>(reader.integer<std::uint64_t>());
  message.peak_rss_kib = reader.integer<std::uint64_t>();
  for (std::uint64_t left = reader.count(); left > 0; --left)
    message.mapped.push_back(reader.library());
  if (!reader.complete())
    return fail(garbled("answer"));
  return message;
}

} // namespace hk::compile
