#pragma once
// Scalar functions. The hardware's approximations are within 1 ulp, and softmax needs no more.

#include <hk/arch/gfx942/language.h>

namespace hk::gfx942 {

struct Arithmetic {
  static constexpr float k_infinity = __builtin_huge_valf();

  static HK_DEVICE float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static HK_DEVICE float maximum(float a, float b) { return __builtin_fmaxf(a, b); }
  static HK_DEVICE float exp2(float x) { return __builtin_amdgcn_exp2f(x); }
  static HK_DEVICE float log2(float x) { return __builtin_amdgcn_logf(x); }
  static HK_DEVICE float reciprocal(float x) { return __builtin_amdgcn_rcpf(x); }
};

} // namespace hk::gfx942
