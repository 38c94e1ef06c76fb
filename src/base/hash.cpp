#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace hk::base {
namespace {

constexpr char k_digits[] = "0123456789abcdef";

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  if (digit >= 'a' && digit <= 'f')
    return digit - 'a' + 10;
  return -1;
}

} // namespace

Digest128 hash128(ByteView bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::uint64_t hash64(ByteView bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string to_hex(ByteView bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) {
    text.push_back(k_digits[static_cast<unsigned>(byte) >> 4]);
    text.push_back(k_digits[static_cast<unsigned>(byte) & 15]);
  }
  return text;
}

std::string to_hex(const Digest128& digest) {
  std::string text;
  for (const std::uint64_t half : {digest.high, digest.low})
    for (int shift = 60; shift >= 0; shift -= 4)
      text.push_back(k_digits[(half >> shift) & 15]);
  return text;
}

std::optional<Digest128> digest_from_hex(std::string_view text) {
  if (text.size() != 32)
    return std::nullopt;
  Digest128 digest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int value = digit_value(text[i]);
    if (value < 0)
      return std::nullopt;
    std::uint64_t& half = i < 16 ? digest.high : digest.low;
    half = half << 4 | static_cast<std::uint64_t>(value);
  }
  return digest;
}

} // namespace hk::base
