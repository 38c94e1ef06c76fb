#pragma once
// Between fp32 and pairs of 16-bit elements.

#include <hk/arch/gfx950/language.h>
#include <hk/arch/gfx950/registers.h>

namespace hk::gfx950 {

using Bfloat2 = __bf16 __attribute__((ext_vector_type(2)));

struct Conversion {
  /// Two elements in one word, each rounded to nearest, ties to even; any NaN stays a NaN. v_cvt_pk_bf16_f32 does that.
  template <Element16 Element>
  static HK_DEVICE uint32 round_pair(float low, float high) {
    const Float2 pair = {low, high};
    if constexpr (SameAs<Element, bfloat16>)
      return __builtin_bit_cast(uint32, __builtin_convertvector(pair, Bfloat2));
    else
      return __builtin_bit_cast(uint32, __builtin_convertvector(pair, Half2));
  }

  /// sum + low + high of two elements in a word.
  template <Element16 Element>
  static HK_DEVICE float add_pair(float sum, uint32 pair) {
    if constexpr (SameAs<Element, bfloat16>)
      return __builtin_amdgcn_fdot2_f32_bf16(__builtin_bit_cast(Bfloat2, pair), Bfloat2{1.0f, 1.0f}, sum, false);
    else
      return __builtin_amdgcn_fdot2(__builtin_bit_cast(Half2, pair), Half2{1, 1}, sum, false);
  }
};

} // namespace hk::gfx950
