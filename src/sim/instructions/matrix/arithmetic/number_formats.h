#pragma once
// The element formats of the matrix instructions, decoded exactly to binary32 ("CDNA4 ISA", table "Small Float Data
// Formats"; FNUZ variants of gfx942: "CDNA3 ISA", section "BF8 / FP8 formats"). Every value of these formats is a
// binary32 value, subnormals included.

#include <array>
#include <bit>
#include <cstdint>

namespace hk::sim {

constexpr float float_from_bits(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

// binary16. Branch-free so that loops over lanes become vector code.
inline float float_from_f16(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t magnitude = half & 0x7fffu;
  const std::uint32_t normal = (magnitude << 13) + ((127u - 15u) << 23);
  const std::uint32_t infinite = (magnitude << 13) | 0x7f800000u;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(float(std::int32_t(magnitude)) * 0x1p-24f);
  std::uint32_t bits = magnitude < 0x0400u ? subnormal : normal;
  bits = magnitude >= 0x7c00u ? infinite : bits;
  return std::bit_cast<float>(bits | sign);
}

inline float float_from_bf16(std::uint32_t half) {
  return std::bit_cast<float>(half << 16);
}

// A sign bit, `exponent_bits` and `mantissa_bits` with the given bias; no infinities and no NaN.
constexpr float decode_small_float(std::uint32_t code, unsigned exponent_bits, unsigned mantissa_bits, int bias) {
  const std::uint32_t mantissa = code & ((1u << mantissa_bits) - 1);
  const std::uint32_t exponent = (code >> mantissa_bits) & ((1u << exponent_bits) - 1);
  const bool negative = (code >> (exponent_bits + mantissa_bits)) & 1;
  const int power = (exponent == 0 ? 1 : int(exponent)) - bias - int(mantissa_bits);
  double value = double(exponent == 0 ? mantissa : mantissa | (1u << mantissa_bits));
  for (int i = 0; i < power; ++i)
    value *= 2;
  for (int i = 0; i > power; --i)
    value /= 2;
  return float(negative ? -value : value);
}

constexpr float k_quiet_nan = float_from_bits(0x7fc00000u);

// OCP E4M3 (gfx950): bias 7, no infinity, NaN = S.1111.111.
constexpr float float_from_fp8_ocp(std::uint32_t code) {
  return (code & 0x7f) == 0x7f ? k_quiet_nan : decode_small_float(code, 4, 3, 7);
}
// OCP E5M2 (gfx950): bias 15, IEEE infinity and NaN.
constexpr float float_from_bf8_ocp(std::uint32_t code) {
  if ((code & 0x7f) > 0x7c)
    return k_quiet_nan;
  if ((code & 0x7f) == 0x7c)
    return float_from_bits(code & 0x80 ? 0xff800000u : 0x7f800000u);
  return decode_small_float(code, 5, 2, 15);
}
// FNUZ (gfx942): bias one higher than OCP's, 0x80 is NaN, no negative zero, no infinity.
constexpr float float_from_fp8_fnuz(std::uint32_t code) {
  return code == 0x80 ? k_quiet_nan : decode_small_float(code, 4, 3, 8);
}
constexpr float float_from_bf8_fnuz(std::uint32_t code) {
  return code == 0x80 ? k_quiet_nan : decode_small_float(code, 5, 2, 16);
}
constexpr float float_from_fp6(std::uint32_t code) { // E2M3
  return decode_small_float(code, 2, 3, 1);
}
constexpr float float_from_bf6(std::uint32_t code) { // E3M2
  return decode_small_float(code, 3, 2, 3);
}
constexpr float float_from_fp4(std::uint32_t code) { // E2M1
  return decode_small_float(code, 2, 1, 1);
}

// Every code of a format with its value.
template <std::size_t Codes, float (*Decode)(std::uint32_t)>
constexpr std::array<float, Codes> make_decoding_table() {
  std::array<float, Codes> table{};
  for (std::uint32_t code = 0; code < Codes; ++code)
    table[code] = Decode(code);
  return table;
}

} // namespace hk::sim
