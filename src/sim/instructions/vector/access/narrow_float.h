#pragma once
// f16 and bf16 as the hardware converts them. Everything here is branch-free, so that the lane loops vectorise.

#include <bit>
#include <cstdint>

#include "sim/instructions/vector/access/float_mode.h"

namespace hk::sim::vector {

// Exact; a signalling NaN becomes quiet with its payload kept.
inline float half_to_float(std::uint32_t half) {
  const std::uint32_t magnitude = (half & 0x7fffU) << 13;
  const bool special = (half & 0x7c00U) == 0x7c00U;
  const bool nan = (half & 0x7fffU) > 0x7c00U;
  // The exponent bias differs by 112. Multiplying also normalises the denormals.
  const std::uint32_t finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  const std::uint32_t other = magnitude | 0x7f800000U | (nan ? 0x00400000U : 0U);
  return std::bit_cast<float>((special ? other : finite) | ((half & 0x8000U) << 16));
}

// What to add to a magnitude before its low `dropped` bits are cut off (1 <= dropped <= 31).
inline std::uint32_t rounding_increment(std::uint32_t magnitude, std::uint32_t dropped, bool negative,
                                        Rounding rounding) {
  const std::uint32_t all = (1U << dropped) - 1U;
  switch (rounding) {
  case Rounding::nearest_even:
    return (all >> 1) + ((magnitude >> dropped) & 1U);
  case Rounding::toward_positive:
    return negative ? 0U : all;
  case Rounding::toward_negative:
    return negative ? all : 0U;
  case Rounding::toward_zero:
    break;
  }
  return 0U;
}

// Rounds to f16. `saturate` (FP16_OVFL) turns the overflow of a finite value into the largest finite one.
inline std::uint32_t float_to_half(float value, Rounding rounding, bool saturate = false) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const bool negative = (bits >> 31) != 0;
  const std::uint32_t sign = (bits >> 16) & 0x8000U;

  const std::uint32_t normal = (magnitude - (112U << 23) + rounding_increment(magnitude, 13, negative, rounding)) >> 13;

  // Below 2^-14 the result counts in units of 2^-24; from 25 dropped bits on only "something" is left.
  const std::uint32_t exponent = magnitude >> 23;
  const std::uint32_t shift = exponent < 101U ? 26U : 126U - exponent;
  const std::uint32_t dropped = shift < 14U ? 14U : (shift > 26U ? 26U : shift);
  const std::uint32_t hidden = exponent == 0 ? 0U : 0x00800000U;
  const std::uint32_t significand = (magnitude & 0x007fffffU) | hidden;
  // With 26 dropped bits the significand is below half a unit, whatever it is; only zero or not matters.
  const std::uint32_t denormal =
      (significand + rounding_increment(significand, dropped, negative, rounding)) >> dropped;

  const bool rounds_to_infinity = rounding == Rounding::nearest_even ||
                                  (rounding == Rounding::toward_positive && !negative) ||
                                  (rounding == Rounding::toward_negative && negative);
  const std::uint32_t overflow = rounds_to_infinity && !saturate ? 0x7c00U : 0x7bffU;
  const std::uint32_t nan = 0x7e00U | ((magnitude >> 13) & 0x1ffU);

  std::uint32_t result = magnitude < (113U << 23) ? denormal : normal;
  result = magnitude >= (143U << 23) || result >= 0x7c00U ? overflow : result;
  result = magnitude == 0x7f800000U ? 0x7c00U : result;
  result = magnitude > 0x7f800000U ? nan : result;
  return result | sign;
}

inline float bfloat16_to_float(std::uint32_t bfloat16) {
  const std::uint32_t bits = bfloat16 << 16;
  const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
  return std::bit_cast<float>(bits | (nan ? 0x00400000U : 0U));
}

// Round to nearest even; denormals are kept, a NaN becomes quiet.
inline std::uint32_t float_to_bfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const std::uint32_t nan = (bits >> 16) | 0x40U;
  return (bits & 0x7fffffffU) > 0x7f800000U ? nan : rounded;
}

} // namespace hk::sim::vector
