#pragma once
// Scalar functions. The hardware's approximations are within 2 ulp, and softmax needs no more.

#include <hk/arch/sm80/language.h>

namespace hk::sm80 {

/// Denormal results are flushed to zero: without .ftz each call costs two multiplications and a comparison more.
struct Arithmetic {
  static constexpr float k_infinity = __builtin_bit_cast(float, 0x7f800000);

  static HK_DEVICE float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
  static HK_DEVICE float maximum(float a, float b) {
    float result;
    asm("max.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
  }
  static HK_DEVICE float exp2(float x) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
  }
  static HK_DEVICE float log2(float x) {
    float result;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
  }
  static HK_DEVICE float reciprocal(float x) {
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
  }
};

} // namespace hk::sm80
