#pragma once
// Floating-point formats by their definition, for expected values: decoding by powers of two, rounding by looking for
// the two neighbouring codes.

#include <cmath>
#include <cstdint>

namespace hk::sim::testing {

struct SmallFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  std::uint32_t largest; // code of the largest finite value
};

constexpr SmallFormat k_half{5, 10, 15, 0x7bff};
constexpr SmallFormat k_bfloat16{8, 7, 127, 0x7f7f};
constexpr SmallFormat k_e4m3{4, 3, 7, 0x7e};
constexpr SmallFormat k_e5m2{5, 2, 15, 0x7b};
constexpr SmallFormat k_e4m3_fnuz{4, 3, 8, 0x7f};
constexpr SmallFormat k_e5m2_fnuz{5, 2, 16, 0x7f};
constexpr SmallFormat k_e2m3{2, 3, 1, 0x1f};
constexpr SmallFormat k_e3m2{3, 2, 3, 0x1f};
constexpr SmallFormat k_e2m1{2, 1, 1, 0x7};

// The value of a code without sign; not for the codes that are no numbers.
inline double magnitude_of(const SmallFormat& format, std::uint32_t code) {
  const std::uint32_t exponent = code >> format.mantissa_bits;
  const double fraction = double(code & ((1U << format.mantissa_bits) - 1)) / double(1U << format.mantissa_bits);
  return exponent == 0 ? fraction * std::pow(2.0, 1 - format.bias)
                       : (1.0 + fraction) * std::pow(2.0, int(exponent) - format.bias);
}

enum class To { nearest_even, up, down, zero };

// The code without sign of |value| rounded, `largest + 1` if it overflows.
inline std::uint32_t round_magnitude(const SmallFormat& format, double value, To rounding) {
  const double magnitude = std::fabs(value);
  std::uint32_t low = 0;
  std::uint32_t high = format.largest + 1; // value at least that of `low`, below that of `high`
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (magnitude_of(format, middle) <= magnitude ? low : high) = middle;
  }
  const double below = magnitude_of(format, low);
  const double above = magnitude_of(format, low + 1); // of the next code by formula, also if that is no number
  if (below == magnitude)
    return low;
  switch (rounding) {
  case To::nearest_even: {
    const double half_way = below + (above - below) / 2;
    return magnitude > half_way || (magnitude == half_way && low % 2 == 1) ? low + 1 : low;
  }
  case To::up:
    return value > 0 ? low + 1 : low;
  case To::down:
    return value < 0 ? low + 1 : low;
  case To::zero:
    break;
  }
  return low;
}

// The f16 nearest to the value, as bits.
inline std::uint32_t half_bits(double value, To rounding = To::nearest_even) {
  const std::uint32_t sign = std::signbit(value) ? 0x8000U : 0U;
  if (std::isnan(value))
    return 0x7e00;
  if (std::isinf(value))
    return sign | 0x7c00;
  const std::uint32_t code = round_magnitude(k_half, value, rounding);
  return sign | code;
}

inline double half_value(std::uint32_t code) {
  const double magnitude = (code & 0x7fff) == 0x7c00 ? INFINITY : magnitude_of(k_half, code & 0x7fff);
  if ((code & 0x7fff) > 0x7c00)
    return NAN;
  return (code & 0x8000) != 0 ? -magnitude : magnitude;
}

} // namespace hk::sim::testing
