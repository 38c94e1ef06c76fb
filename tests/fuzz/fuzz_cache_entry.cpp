// Any bytes may lie in the cache folder. The bytes are decoded as they are, and once more with length and checksum made
// right, as somebody who means harm would; what is accepted must encode to the same bytes again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/hash.h"
#include "cache/entry.h"

namespace {

constexpr std::size_t k_total_bytes_offset = 16;
constexpr std::size_t k_smallest_entry = 60;

void decode(const hk::base::Bytes& bytes) {
  const auto entry = hk::cache::decode_entry(bytes);
  if (entry && hk::cache::encode_entry(entry->key, entry->metadata, entry->payload) != bytes)
    std::abort();
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
