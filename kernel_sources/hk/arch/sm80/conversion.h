#pragma once
// Between fp32 and pairs of 16-bit elements.

#include <hk/arch/sm80/language.h>
#include <hk/arch/sm80/registers.h>

namespace hk::sm80 {

struct Conversion {
  /// Two elements in one word, each rounded to nearest, ties to even; any NaN stays a NaN.
  template <Element16 Element>
  static HK_DEVICE uint32 round_pair(float low, float high) {
    uint32 pair;
    if constexpr (SameAs<Element, bfloat16>)
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    else
      asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
  }

  /// The number 1 twice.
  template <Element16 Element>
  static constexpr uint32 k_ones = SameAs<Element, bfloat16> ? 0x3f803f80u : 0x3c003c00u;
};

} // namespace hk::sm80
