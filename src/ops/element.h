#pragma once
// The 16-bit element types as the host sees them: their bits to float and back.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace hk::ops {

enum class ElementType : std::uint8_t { bfloat16 = 1, float16 = 2 }; // numbers of hk_dtype

inline constexpr std::int64_t k_element_bytes = 2;

// Exact.
inline float bfloat16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

// To nearest, ties to even; NaN stays NaN.
inline std::uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value))
    return static_cast<std::uint16_t>(bits >> 16 | 0x40U); // the quiet bit: truncation must not make it infinite
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

// Exact. IEEE 754 binary16: 5 bits of exponent with bias 15, 10 bits of fraction.
inline float float16_to_float(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  if (exponent == 0) // zero or subnormal: fraction * 2^-24
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F) | sign);
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13);
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

// To nearest, ties to even; beyond the largest finite value infinity; NaN stays NaN.
inline std::uint16_t float_to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U)
    return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (magnitude >= 0x477ff000U) // 65520 and up round to infinity
    return static_cast<std::uint16_t>(sign | 0x7c00U);
  if (magnitude < 0x38800000U) // below 2^-14: adding 0.5 aligns the fraction so that the addition itself rounds
    return static_cast<std::uint16_t>(
        sign | (std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U));
  const std::uint32_t rounded = magnitude + 0xfffU + (magnitude >> 13 & 1U);
  return static_cast<std::uint16_t>(sign | (rounded - 0x38000000U) >> 13);
}

inline float element_to_float(ElementType type, std::uint16_t bits) {
  return type == ElementType::bfloat16 ? bfloat16_to_float(bits) : float16_to_float(bits);
}

inline std::uint16_t float_to_element(ElementType type, float value) {
  return type == ElementType::bfloat16 ? float_to_bfloat16(value) : float_to_float16(value);
}

// Distance of neighbouring numbers of the type at this magnitude: one unit in the last place.
inline double element_spacing(ElementType type, double magnitude) {
  const int fraction_bits = type == ElementType::bfloat16 ? 7 : 10;
  const int smallest_exponent = type == ElementType::bfloat16 ? -126 : -14;
  const int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), smallest_exponent) : smallest_exponent;
  return std::ldexp(1.0, exponent - fraction_bits);
}

inline float round_to_element(ElementType type, float value) {
  return element_to_float(type, float_to_element(type, value));
}

} // namespace hk::ops
