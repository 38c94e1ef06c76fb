#pragma once
// a * b + c of f16 values with one rounding to f16.

#include <bit>
#include <cmath>
#include <cstdint>

namespace hk::sim::vector {

// Takes and gives f16 values held in floats; the caller rounds the result to f16. The product of two f16 values is
// exact in a double, and where the sum is not, it is no tie of f16. The f32 on the way is rounded to odd: an inexact
// result has its last bit set, so it is no tie of f16 either and keeps the side of the tie that the sum is on.
inline float half_fused_multiply_add(float a, float b, float c) {
  const double sum = double(a) * double(b) + double(c);
  const float rounded = float(sum);
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(rounded);
  const std::uint32_t away_from_zero = std::fabs(double(rounded)) > std::fabs(sum) ? 1U : 0U;
  const std::uint32_t toward_zero = std::fabs(double(rounded)) < std::fabs(sum) ? 1U : 0U;
  // One of the two holds if the rounding was inexact; none if it was exact or the sum is NaN.
  return std::bit_cast<float>((bits - away_from_zero) | away_from_zero | toward_zero);
}

} // namespace hk::sim::vector
