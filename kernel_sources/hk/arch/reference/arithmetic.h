#pragma once
// Scalar functions.

namespace hk::reference {

struct Arithmetic {
  static float exp2(float x) { return __builtin_exp2f(x); }
  static float log2(float x) { return __builtin_log2f(x); }
  static float reciprocal(float x) { return 1.0f / x; }
};

} // namespace hk::reference
