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
  const bool away_from_zero = std::fabs(double(rounded)) > std::fabs(sum);
  const std::uint32_t odd = (away_from_zero ? bits - 1U : bits) | 1U;
  const bool exact = double(rounded) == sum || sum != sum;
  return std::bit_cast<float>(exact ? bits : odd);
}

} // namespace hk::sim::vector
