#pragma once
// Scalar functions.

namespace hk::reference {

struct Arithmetic {
  static constexpr float k_infinity = __builtin_huge_valf();

  static float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static float maximum(float a, float b) { return __builtin_fmaxf(a, b); }
  static float exp2(float x) { return __builtin_exp2f(x); }
  static float log2(float x) { return __builtin_log2f(x); }
  static float reciprocal(float x) { return 1.0f / x; }
};

} // namespace hk::reference
