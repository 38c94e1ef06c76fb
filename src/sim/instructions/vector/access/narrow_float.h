#pragma once
// f16 and bf16 as the hardware converts them. Everything here is branch-free, so that the lane loops vectorise.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sim/instructions/vector/access/float_mode.h"

namespace hk::sim::vector {

// Selection by arithmetic, for values below 2^31. Written with comparisons, a chain of these on one value becomes
// branches in GCC, and the lane loop around it is then no vector code.
inline std::uint32_t if_below(std::uint32_t value, std::uint32_t limit, std::uint32_t below, std::uint32_t otherwise) {
  const std::uint32_t mask = std::uint32_t(std::int32_t(value - limit) >> 31);
  return (below & mask) | (otherwise & ~mask);
}

// Exact; a signalling NaN becomes quiet with its payload kept.
inline float half_to_float(std::uint32_t half) {
  const std::uint32_t magnitude = half & 0x7fffU;
  const std::uint32_t normal = (magnitude << 13) + (112U << 23);
  const std::uint32_t denormal = std::bit_cast<std::uint32_t>(float(std::int32_t(magnitude)) * 0x1p-24F);
  const std::uint32_t infinity = 0x7f800000U;
  const std::uint32_t nan = (magnitude << 13) | 0x7fc00000U;
  std::uint32_t result = if_below(magnitude, 0x0400U, denormal, normal);
  result = if_below(magnitude, 0x7c00U, result, infinity);
  result = if_below(magnitude, 0x7c00U + 1U, result, nan);
  return std::bit_cast<float>(result | ((half & 0x8000U) << 16));
}

// Rounds to f16, to nearest even; the host must round so too. `saturate` (FP16_OVFL) turns the overflow of a finite
// value into the largest finite one.
inline std::uint32_t float_to_half_nearest(float value, bool saturate) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t normal = (magnitude - (112U << 23) + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
  // Next to 0.5 the last place of f32 is 2^-24, the smallest f16.
  const std::uint32_t denormal = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
  const std::uint32_t overflow = 0x7c00U - std::uint32_t(saturate);
  const std::uint32_t nan = 0x7e00U | ((magnitude >> 13) & 0x1ffU);
  std::uint32_t result = if_below(magnitude, 0x38800000U, denormal, normal);
  result = if_below(magnitude, 0x477ff000U, result, overflow); // from 65520 on
  result = if_below(magnitude, 0x7f800000U, result, 0x7c00U);
  result = if_below(magnitude, 0x7f800000U + 1U, result, nan);
  return result | ((bits >> 16) & 0x8000U);
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

// The same for any rounding, whatever the host's is.
inline std::uint32_t float_to_half(float value, Rounding rounding, bool saturate = false) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const bool negative = (bits >> 31) != 0;
  const std::uint32_t normal = (magnitude - (112U << 23) + rounding_increment(magnitude, 13, negative, rounding)) >> 13;

  // Below 2^-14 the result counts in units of 2^-24. With 26 dropped bits the significand is below half a unit,
  // whatever it is; only zero or not matters.
  const std::int32_t exponent = std::int32_t(magnitude >> 23);
  const std::uint32_t dropped = std::uint32_t(std::clamp(126 - exponent, 14, 26));
  const std::uint32_t significand = (magnitude & 0x007fffffU) | (exponent != 0 ? 0x00800000U : 0U);
  const std::uint32_t denormal =
      (significand + rounding_increment(significand, dropped, negative, rounding)) >> dropped;

  const bool to_infinity = rounding == Rounding::nearest_even ||
                           rounding == (negative ? Rounding::toward_negative : Rounding::toward_positive);
  std::uint32_t result = magnitude < (113U << 23) ? denormal : normal;
  if (magnitude >= (143U << 23) || result >= 0x7c00U)
    result = to_infinity && !saturate ? 0x7c00U : 0x7bffU;
  if (magnitude >= 0x7f800000U)
    result = magnitude == 0x7f800000U ? 0x7c00U : 0x7e00U | ((magnitude >> 13) & 0x1ffU);
  return result | ((bits >> 16) & 0x8000U);
}

// Toward zero, where overflow always ends at the largest finite value.
inline std::uint32_t float_to_half_toward_zero(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t normal = (magnitude - (112U << 23)) >> 13;
  // 2^24 times the value, exact in f32, as an integer.
  const std::uint32_t denormal = std::uint32_t(std::int32_t(std::bit_cast<float>(magnitude & 0x3fffffffU) * 0x1p24F));
  const std::uint32_t nan = 0x7e00U | ((magnitude >> 13) & 0x1ffU);
  std::uint32_t result = if_below(magnitude, 0x38800000U, denormal, normal);
  result = if_below(magnitude, 0x47800000U, result, 0x7bffU); // from 65536 on
  result = if_below(magnitude, 0x7f800000U, result, 0x7c00U);
  result = if_below(magnitude, 0x7f800000U + 1U, result, nan);
  return result | ((bits >> 16) & 0x8000U);
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
