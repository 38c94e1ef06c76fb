#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "base/hash.h"
#include "cache/entry.h"
#include "unit/cache/sample_entries.h"

using hk::base::Bytes;
using hk::base::ByteView;
using hk::cache::decode_entry;
using hk::cache::decode_entry_of;
using hk::cache::encode_entry;
using hk::cache::EntryProblem;
using hk::cache::Metadata;
using hk::test::sample_key;
using hk::test::sample_metadata;
using hk::test::sample_payload;

namespace {

// Offsets of the header's fields, from docs/CACHE.md.
constexpr std::size_t k_version = 8;
constexpr std::size_t k_metadata_count = 12;
constexpr std::size_t k_total_bytes = 16;
constexpr std::size_t k_payload_bytes = 24;
constexpr std::size_t k_request_bytes = 32;
constexpr std::size_t k_toolchain_bytes = 36;
constexpr std::size_t k_metadata_bytes = 40;

Bytes sample(std::size_t payload = 100) {
  return encode_entry(sample_key(), sample_metadata(), sample_payload(payload));
}

void patch(Bytes& bytes, std::size_t offset, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i)
    bytes[offset + i] = static_cast<std::byte>(value >> (8 * i));
}

// Makes the checksum right again, as somebody who means harm would.
void sign(Bytes& bytes) {
  const auto digest = hk::base::hash128(ByteView(bytes).first(bytes.size() - 16));
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[bytes.size() - 16 + i] = static_cast<std::byte>(digest.high >> (56 - 8 * i));
    bytes[bytes.size() - 8 + i] = static_cast<std::byte>(digest.low >> (56 - 8 * i));
  }
}

EntryProblem problem_of(const Bytes& bytes) {
  const auto entry = decode_entry(bytes);
  REQUIRE_FALSE(entry.has_value());
  return entry.error();
}

} // namespace

TEST_SUITE_BEGIN("cache.entry");

TEST_CASE("key, metadata and payload come back, also when empty or binary") {
  const Metadata metadata = {{"", ""}, {"log", std::string("\0\n\xff", 3)}, {"symbol", "k"}};
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100000}}) {
    const auto entry = decode_entry_of(sample_key(), encode_entry(sample_key(), metadata, sample_payload(size)));
    REQUIRE(entry.has_value());
    CHECK(entry->key == sample_key());
    CHECK(entry->metadata == metadata);
    CHECK(entry->payload == sample_payload(size));
  }
  const auto bare = decode_entry(encode_entry(hk::cache::key_from_texts("", ""), {}, {}));
  REQUIRE(bare.has_value());
  CHECK(bare->metadata.empty());
}

TEST_CASE("an entry cut at any length is truncated") {
  const Bytes bytes = sample();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto entry = decode_entry(ByteView(bytes).first(length));
    REQUIRE_FALSE(entry.has_value());
    REQUIRE(entry.error() == EntryProblem::truncated);
  }
}

TEST_CASE("an entry with bytes behind it is overlong") {
  Bytes bytes = sample();
  bytes.push_back(std::byte{0});
  CHECK(problem_of(bytes) == EntryProblem::overlong);
}

TEST_CASE("every flipped bit of every byte is found") {
  const Bytes sound = sample();
  for (std::size_t i = 0; i < sound.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes bytes = sound;
      bytes[i] ^= static_cast<std::byte>(1 << bit);
      const EntryProblem problem = problem_of(bytes);
      if (i < k_version)
        REQUIRE(problem == EntryProblem::not_an_entry);
      else if (i < k_metadata_count)
        REQUIRE(problem == EntryProblem::other_version);
      else if (i >= k_total_bytes && i < k_payload_bytes)
        REQUIRE((problem == EntryProblem::truncated || problem == EntryProblem::overlong));
      else
        REQUIRE(problem == EntryProblem::checksum);
    }
  }
}

TEST_CASE("other files are not entries, and no file at all is a truncated one") {
  CHECK(problem_of({}) == EntryProblem::truncated);
  const auto elf = hk::base::as_bytes("\x7f"
                                      "ELF and more than forty-four bytes of something that is no entry");
  CHECK(decode_entry(elf).error() == EntryProblem::not_an_entry);
  CHECK(problem_of(Bytes(4096)) == EntryProblem::not_an_entry);
}

TEST_CASE("an entry of another format version is told apart from a damaged one") {
  Bytes bytes = sample();
  patch(bytes, k_version, hk::cache::k_entry_format_version + 1, 4);
  CHECK(problem_of(bytes) == EntryProblem::other_version);
}

TEST_CASE("the entry of another key is refused, text by text") {
  const Bytes bytes = sample();
  CHECK(decode_entry_of(sample_key("other spec"), bytes).error() == EntryProblem::other_key);
  CHECK(decode_entry_of(sample_key("attention d128", "gfx950"), bytes).error() == EntryProblem::other_key);
  // The same digests with another text: what a collision would look like.
  auto collision = sample_key();
  collision.request_text += "x";
  CHECK(decode_entry_of(collision, bytes).error() == EntryProblem::other_key);
}

TEST_CASE("huge and contradictory lengths under a right checksum are malformed, and allocate nothing") {
  struct Lie {
    std::size_t offset;
    std::size_t width;
    std::uint64_t value;
  };
  constexpr std::uint64_t k_four = std::numeric_limits<std::uint32_t>::max();
  const std::size_t metadata_start = 44 + sample_key().request_text.size() + sample_key().toolchain_text.size();
  for (const Lie& lie :
       {Lie{k_request_bytes, 4, k_four}, Lie{k_toolchain_bytes, 4, k_four}, Lie{k_metadata_bytes, 4, k_four},
        Lie{k_metadata_count, 4, k_four}, Lie{k_metadata_count, 4, 1}, Lie{k_metadata_count, 4, 3},
        Lie{k_metadata_count, 4, 0}, Lie{k_payload_bytes, 8, std::numeric_limits<std::uint64_t>::max()},
        Lie{k_payload_bytes, 8, std::uint64_t{0} - 44}, Lie{k_payload_bytes, 8, 0}, Lie{k_payload_bytes, 8, 99},
        Lie{k_request_bytes, 4, 0}, Lie{metadata_start, 4, k_four}, Lie{metadata_start, 4, 0}}) {
    CAPTURE(lie.offset);
    CAPTURE(lie.value);
    Bytes bytes = sample();
    patch(bytes, lie.offset, lie.value, lie.width);
    sign(bytes);
    CHECK(problem_of(bytes) == EntryProblem::malformed);
  }
}

TEST_CASE("lengths that wrap around to the right sum are malformed") {
  Bytes bytes = sample();
  // request + 2^32 - n and payload - (2^32 - n): the sum holds only in 64 bits that wrap.
  const std::uint64_t request = sample_key().request_text.size();
  patch(bytes, k_request_bytes, std::numeric_limits<std::uint32_t>::max(), 4);
  patch(bytes, k_payload_bytes, 100 - (std::numeric_limits<std::uint32_t>::max() - request), 8);
  sign(bytes);
  CHECK(problem_of(bytes) == EntryProblem::malformed);
}

TEST_CASE("metadata out of order or twice under one name is malformed") {
  const Metadata pairs = {{"a", "1"}, {"b", "2"}};
  const std::size_t start = 44 + sample_key().request_text.size() + sample_key().toolchain_text.size();
  for (const char second : {'a', '0'}) {
    Bytes bytes = encode_entry(sample_key(), pairs, {});
    REQUIRE(bytes[start + 14] == std::byte{'b'});
    bytes[start + 14] = static_cast<std::byte>(second);
    sign(bytes);
    CHECK(problem_of(bytes) == EntryProblem::malformed);
  }
}

TEST_CASE("random damage under a right checksum never gives more than a sound entry or a problem") {
  std::mt19937 random(1);
  const Bytes sound = sample(40);
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = sound;
    for (int i = 0; i < 3; ++i)
      bytes[12 + random() % (bytes.size() - 28)] = static_cast<std::byte>(random());
    patch(bytes, k_total_bytes, bytes.size(), 8);
    sign(bytes);
    if (const auto entry = decode_entry(bytes))
      REQUIRE(encode_entry(entry->key, entry->metadata, entry->payload) == bytes);
  }
}

TEST_SUITE_END();
