#pragma once
// Scalar functions. The hardware's approximations are within 1 ulp, and softmax needs no more.

#include <hk/arch/gfx942/language.h>

namespace hk::gfx942 {

struct Arithmetic {
  static HK_DEVICE float exp2(float x) { return __builtin_amdgcn_exp2f(x); }
  static HK_DEVICE float log2(float x) { return __builtin_amdgcn_logf(x); }
  static HK_DEVICE float reciprocal(float x) { return __builtin_amdgcn_rcpf(x); }
};

} // namespace hk::gfx942
