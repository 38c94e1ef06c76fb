// Any bytes may lie in the cache folder. The bytes are decoded as they are, and once more with length and checksum made
// right, as somebody who means harm would; what is accepted must encode to the same bytes again. Files of failures are
// entries with a meaning of their own: what is taken for one must come back from its bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "base/hash.h"
#include "cache/entry.h"
#include "cache/kept_failures.h"
#include "cache/key_fields.h"

namespace {

constexpr std::size_t k_total_bytes_offset = 16;
constexpr std::size_t k_smallest_entry = 60;

constexpr std::int64_t k_now = 1764600000; // of the failure in the corpus

void expect(bool condition) {
  if (!condition)
    std::abort();
}

void read_failure(const hk::cache::Entry& entry) {
  for (const std::int64_t now : {k_now, std::numeric_limits<std::int64_t>::max(), std::int64_t{0}}) {
    const auto failure = hk::cache::failure_of(entry, now);
    if (!failure)
      continue;
    expect(!failure->ok());
    const auto again = hk::cache::decode_entry(hk::cache::encode_failure(entry.key, *failure, k_now));
    expect(again.has_value());
    const auto same = hk::cache::failure_of(*again, k_now);
    expect(same && same->code == failure->code && same->message == failure->message && same->detail == failure->detail);
  }
}

void decode(const hk::base::Bytes& bytes) {
  const auto entry = hk::cache::decode_entry(bytes);
  if (!entry)
    return;
  expect(hk::cache::encode_entry(entry->key, entry->metadata, entry->payload) == bytes);
  (void)hk::cache::explained_fields(entry->key);
  read_failure(*entry);
}

void sign(hk::base::Bytes& bytes) {
  for (std::size_t i = 0; i < 8; ++i)
    bytes[k_total_bytes_offset + i] = static_cast<std::byte>(bytes.size() >> (8 * i));
  const auto digest = hk::base::hash128(hk::base::ByteView(bytes).first(bytes.size() - 16));
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[bytes.size() - 16 + i] = static_cast<std::byte>(digest.high >> (56 - 8 * i));
    bytes[bytes.size() - 8 + i] = static_cast<std::byte>(digest.low >> (56 - 8 * i));
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hk::base::ByteView input(reinterpret_cast<const std::byte*>(data), size);
  hk::base::Bytes bytes(input.begin(), input.end());
  decode(bytes);
  if (bytes.size() >= k_smallest_entry) {
    sign(bytes);
    decode(bytes);
  }
  return 0;
}
