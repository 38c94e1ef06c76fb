#include "cache/entry.h"

#include <algorithm>

namespace hk::cache {
namespace {

using base::ByteReader;
using base::ByteView;
using base::ByteWriter;

constexpr std::string_view k_magic{"hkentry\0", 8};
constexpr std::size_t k_header_bytes = 44;
constexpr std::size_t k_checksum_bytes = 16;

struct Header {
  std::uint32_t metadata_count = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint32_t request_bytes = 0;
  std::uint32_t toolchain_bytes = 0;
  std::uint32_t metadata_bytes = 0;

  // In 64 bits: four 32-bit lengths and one bounded 64-bit length cannot wrap.
  [[nodiscard]] bool adds_up() const {
    return payload_bytes <= total_bytes && k_header_bytes + std::uint64_t{request_bytes} + toolchain_bytes +
                                                   metadata_bytes + payload_bytes + k_checksum_bytes ==
                                               total_bytes;
  }
};

void write_text(ByteWriter& writer, std::string_view text) {
  writer.write(static_cast<std::uint32_t>(text.size())).write_bytes(base::as_bytes(text));
}

bool read_text(ByteReader& reader, std::string& text) {
  std::uint32_t length = 0;
  ByteView view;
  if (!reader.read(length) || !reader.read_bytes(length, view))
    return false;
  text = base::as_text(view);
  return true;
}

// Big-endian, high half first, as xxhsum -H128 prints it.
void write_checksum(ByteWriter& writer) {
  const base::Digest128 digest = base::hash128(ByteView(writer.bytes()));
  for (const std::uint64_t half : {digest.high, digest.low})
    for (int shift = 56; shift >= 0; shift -= 8)
      writer.write(static_cast<std::uint8_t>(half >> shift));
}

bool checksum_matches(ByteView bytes) {
  const ByteView covered = bytes.first(bytes.size() - k_checksum_bytes);
  return base::to_hex(bytes.last(k_checksum_bytes)) == base::to_hex(base::hash128(covered));
}

// Strictly ascending names: one set of pairs has one encoding.
bool read_metadata(ByteView bytes, std::uint32_t count, Metadata& metadata) {
  ByteReader reader(bytes);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string name;
    std::string value;
    if (!read_text(reader, name) || !read_text(reader, value))
      return false;
    if (!metadata.empty() && metadata.rbegin()->first >= name)
      return false;
    metadata.emplace_hint(metadata.end(), std::move(name), std::move(value));
  }
  return reader.remaining() == 0;
}

} // namespace

std::string_view entry_problem_text(EntryProblem problem) noexcept {
  switch (problem) {
  case EntryProblem::not_an_entry:
    return "not a cache entry";
  case EntryProblem::other_version:
    return "written in another format version";
  case EntryProblem::truncated:
    return "truncated";
  case EntryProblem::overlong:
    return "longer than its header says";
  case EntryProblem::checksum:
    return "checksum does not match";
  case EntryProblem::malformed:
    return "malformed structure";
  case EntryProblem::other_key:
    return "holds another key";
  }
  return "unknown problem";
}

base::Bytes encode_entry(const Key& key, const Metadata& metadata, ByteView payload) {
  ByteWriter pairs;
  for (const auto& [name, value] : metadata) {
    write_text(pairs, name);
    write_text(pairs, value);
  }
  const std::size_t total = k_header_bytes + key.request_text.size() + key.toolchain_text.size() +
                            pairs.bytes().size() + payload.size() + k_checksum_bytes;
  ByteWriter writer;
  writer.reserve(total);
  writer.write_bytes(base::as_bytes(k_magic))
      .write(k_entry_format_version)
      .write(static_cast<std::uint32_t>(metadata.size()))
      .write(static_cast<std::uint64_t>(total))
      .write(static_cast<std::uint64_t>(payload.size()))
      .write(static_cast<std::uint32_t>(key.request_text.size()))
      .write(static_cast<std::uint32_t>(key.toolchain_text.size()))
      .write(static_cast<std::uint32_t>(pairs.bytes().size()))
      .write_bytes(base::as_bytes(key.request_text))
      .write_bytes(base::as_bytes(key.toolchain_text))
      .write_bytes(pairs.bytes())
      .write_bytes(payload);
  write_checksum(writer);
  return writer.take();
}

tl::expected<Entry, EntryProblem> decode_entry(ByteView bytes) {
  const auto problem = [](EntryProblem what) { return tl::unexpected<EntryProblem>(what); };
  ByteReader reader(bytes);
  const std::size_t magic_there = std::min(bytes.size(), k_magic.size());
  if (base::as_text(bytes.first(magic_there)) != k_magic.substr(0, magic_there))
    return problem(EntryProblem::not_an_entry);
  std::uint32_t version = 0;
  if (!reader.skip(k_magic.size()) || !reader.read(version))
    return problem(EntryProblem::truncated);
  if (version != k_entry_format_version)
    return problem(EntryProblem::other_version);
  Header header;
  if (!reader.read(header.metadata_count) || !reader.read(header.total_bytes) || !reader.read(header.payload_bytes) ||
      !reader.read(header.request_bytes) || !reader.read(header.toolchain_bytes) ||
      !reader.read(header.metadata_bytes) || bytes.size() < k_header_bytes + k_checksum_bytes ||
      bytes.size() < header.total_bytes)
    return problem(EntryProblem::truncated);
  if (bytes.size() > header.total_bytes)
    return problem(EntryProblem::overlong);
  if (!checksum_matches(bytes))
    return problem(EntryProblem::checksum);
  ByteView request;
  ByteView toolchain;
  ByteView pairs;
  ByteView payload;
  Entry entry;
  if (!header.adds_up() || !reader.read_bytes(header.request_bytes, request) ||
      !reader.read_bytes(header.toolchain_bytes, toolchain) || !reader.read_bytes(header.metadata_bytes, pairs) ||
      !reader.read_bytes(header.payload_bytes, payload) || !read_metadata(pairs, header.metadata_count, entry.metadata))
    return problem(EntryProblem::malformed);
  entry.key = key_from_texts(std::string(base::as_text(request)), std::string(base::as_text(toolchain)));
  entry.payload.assign(payload.begin(), payload.end());
  return entry;
}

tl::expected<Entry, EntryProblem> decode_entry_of(const Key& key, ByteView bytes) {
  auto entry = decode_entry(bytes);
  if (entry && !(entry->key == key))
    return tl::unexpected<EntryProblem>(EntryProblem::other_key);
  return entry;
}

} // namespace hk::cache
