#pragma once
// XXH3 digests. They find accidents (a flipped bit, a truncated file) and name things; they do not stop attackers.

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace hk::base {

struct Digest128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const Digest128&, const Digest128&) = default;
};

Digest128 hash128(ByteView bytes) noexcept;
std::uint64_t hash64(ByteView bytes, std::uint64_t seed = 0) noexcept;

inline Digest128 hash128(std::string_view text) noexcept {
  return hash128(as_bytes(text));
}
inline std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0) noexcept {
  return hash64(as_bytes(text), seed);
}

// Lower case, two digits a byte.
std::string to_hex(ByteView bytes);
// 32 digits, high half first: the canonical order of xxHash's own tools.
std::string to_hex(const Digest128& digest);
// Exactly 32 lower-case digits, else nothing.
std::optional<Digest128> digest_from_hex(std::string_view text);

} // namespace hk::base

template <>
struct std::hash<hk::base::Digest128> {
  std::size_t operator()(const hk::base::Digest128& digest) const noexcept { return digest.low; }
};
