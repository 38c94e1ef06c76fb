#pragma once
// Stochastic rounding of f32 to f16 and bf16: the digits that are cut off are first raised by as many of the uppermost
// bits of a random word.

#include <bit>
#include <cstdint>

namespace hk::sim::vector {

inline std::uint32_t stochastic_half(float value, std::uint32_t random, bool saturate) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  if (magnitude > 0x7f800000U)
    return sign | 0x7e00U | ((magnitude >> 13) & 0x1ffU);
  if (magnitude == 0x7f800000U)
    return sign | 0x7c00U;
  std::uint32_t result = 0;
  if (magnitude >= (113U << 23)) {
    result = (magnitude - (112U << 23) + (random >> 19)) >> 13;
  } else {
    // Denormal: units of 2^-24, so more digits are cut off.
    const std::uint32_t exponent = magnitude >> 23;
    const std::uint32_t dropped = exponent < 95 ? 31 : 126 - exponent;
    const std::uint32_t significand = (magnitude & 0x007fffffU) | (exponent == 0 ? 0U : 0x00800000U);
    result = (significand + (random >> (32 - dropped))) >> dropped;
  }
  if (result >= 0x7c00U)
    result = saturate ? 0x7bffU : 0x7c00U;
  return sign | result;
}

inline std::uint32_t stochastic_bfloat16(float value, std::uint32_t random) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U)
    return (bits >> 16) | 0x40U;
  if ((bits & 0x7fffffffU) == 0x7f800000U)
    return bits >> 16;
  return (bits + (random >> 16)) >> 16;
}

} // namespace hk::sim::vector
