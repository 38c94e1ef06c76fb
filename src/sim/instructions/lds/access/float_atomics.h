#pragma once
// The arithmetic of floating-point atomics: "CDNA4 ISA", section "Float Memory Atomics". Sums round to nearest even; of
// two NaNs the memory's wins, made quiet; an invalid sum gives the positive quiet NaN.

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/instructions/matrix/arithmetic/number_formats.h"

namespace hk::sim {

// Which subnormals an atomic keeps. In LDS the wave's MODE decides; the L2 flushes in ADD_F32 and keeps in everything
// else.
struct SubnormalMode {
  bool keep_inputs = true;
  bool keep_results = true;
};

// MODE.FP_DENORM: bits 5:4 for binary32, 7:6 for binary16 and binary64; the low bit keeps inputs, the high one results.
constexpr SubnormalMode single_subnormals(std::uint32_t mode) {
  return {(mode >> 4 & 1) != 0, (mode >> 5 & 1) != 0};
}
constexpr SubnormalMode half_subnormals(std::uint32_t mode) {
  return {(mode >> 6 & 1) != 0, (mode >> 7 & 1) != 0};
}

template <typename Bits>
struct FloatBits;
template <>
struct FloatBits<std::uint32_t> {
  using Value = float;
  static constexpr std::uint32_t k_quiet = 0x00400000u, k_infinity = 0x7f800000u, k_sign = 0x80000000u;
};
template <>
struct FloatBits<std::uint64_t> {
  using Value = double;
  static constexpr std::uint64_t k_quiet = 0x0008000000000000u, k_infinity = 0x7ff0000000000000u,
                                 k_sign = 0x8000000000000000u;
};

template <typename Bits>
constexpr bool is_nan(Bits bits) {
  using F = FloatBits<Bits>;
  return (bits & ~F::k_sign) > F::k_infinity;
}

template <typename Bits>
constexpr bool is_signaling_nan(Bits bits) {
  return is_nan(bits) && (bits & FloatBits<Bits>::k_quiet) == 0;
}

template <typename Bits>
constexpr Bits flush_subnormal(Bits bits, bool keep) {
  using F = FloatBits<Bits>;
  return !keep && (bits & F::k_infinity) == 0 ? bits & F::k_sign : bits;
}

template <typename Bits>
Bits float_add(Bits memory, Bits data, SubnormalMode mode) {
  using F = FloatBits<Bits>;
  memory = flush_subnormal(memory, mode.keep_inputs);
  data = flush_subnormal(data, mode.keep_inputs);
  if (is_nan(memory))
    return memory | F::k_quiet;
  if (is_nan(data))
    return data | F::k_quiet;
  const auto sum = std::bit_cast<typename F::Value>(memory) + std::bit_cast<typename F::Value>(data);
  const Bits bits = std::bit_cast<Bits>(sum);
  return is_nan(bits) ? F::k_infinity | F::k_quiet : flush_subnormal(bits, mode.keep_results);
}

// Orders numbers with -0 < +0 as signed integers. No NaN.
template <typename Bits>
constexpr bool float_less(Bits a, Bits b) {
  const auto key = [](Bits bits) { return bits & FloatBits<Bits>::k_sign ? ~bits : bits | FloatBits<Bits>::k_sign; };
  return key(a) < key(b);
}

// Minimum or maximum: a signaling NaN is returned quiet, a quiet one loses against a number. Flushing affects only the
// comparison.
template <typename Bits>
Bits float_extremum(Bits memory, Bits data, bool maximum, SubnormalMode mode) {
  using F = FloatBits<Bits>;
  if (is_signaling_nan(memory))
    return memory | F::k_quiet;
  if (is_signaling_nan(data))
    return data | F::k_quiet;
  if (is_nan(data))
    return memory;
  if (is_nan(memory))
    return data;
  const Bits a = flush_subnormal(memory, mode.keep_inputs);
  const Bits b = flush_subnormal(data, mode.keep_inputs);
  const bool take_data = maximum ? float_less(a, b) : float_less(b, a);
  return take_data ? data : memory;
}

template <typename Bits>
bool float_equal(Bits a, Bits b, SubnormalMode mode) {
  using Value = FloatBits<Bits>::Value;
  return std::bit_cast<Value>(flush_subnormal(a, mode.keep_inputs)) ==
         std::bit_cast<Value>(flush_subnormal(b, mode.keep_inputs));
}

// Nearest binary16, ties to even; overflow gives infinity. The sum of two binary16 values rounded to binary32 first is
// still rounded right, because 24 >= 2 * 11 + 2.
inline std::uint32_t f16_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return sign | 0x7e00u | (magnitude >> 13 & 0x3ffu);
  if (magnitude >= 0x477ff000u) // 65520 and above
    return sign | 0x7c00u;
  if (magnitude < 0x38800000u) // below 2^-14: a multiple of 2^-24
    return sign | std::uint32_t(std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24f));
  const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1);
  return sign | ((rounded - (112u << 23)) >> 13);
}

inline std::uint32_t bf16_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return (bits >> 16) | 0x40u;
  return (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
}

// Widened by the format's rule, added as binary32, rounded back. Subnormal bits of binary16 are 15 bits wide.
inline std::uint32_t half_add(std::uint32_t memory, std::uint32_t data, SubnormalMode mode, bool bf16) {
  const std::uint32_t exponent = bf16 ? 0x7f80u : 0x7c00u;
  const auto flush = [&](std::uint32_t half, bool keep) {
    return !keep && (half & exponent) == 0 ? half & 0x8000u : half;
  };
  const auto widen = [&](std::uint32_t half) { return bf16 ? float_from_bf16(half) : float_from_f16(half); };
  const std::uint32_t a = std::bit_cast<std::uint32_t>(widen(flush(memory, mode.keep_inputs)));
  const std::uint32_t b = std::bit_cast<std::uint32_t>(widen(flush(data, mode.keep_inputs)));
  const float sum = std::bit_cast<float>(float_add(a, b, SubnormalMode{}));
  return flush(bf16 ? bf16_from_float(sum) : f16_from_float(sum), mode.keep_results);
}

inline std::uint32_t packed_half_add(std::uint32_t memory, std::uint32_t data, SubnormalMode mode, bool bf16) {
  return half_add(memory & 0xffffu, data & 0xffffu, mode, bf16) | half_add(memory >> 16, data >> 16, mode, bf16) << 16;
}

} // namespace hk::sim
