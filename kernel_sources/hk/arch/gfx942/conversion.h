#pragma once
// Between fp32 and pairs of 16-bit elements.

#include <hk/arch/gfx942/language.h>
#include <hk/arch/gfx942/registers.h>

namespace hk::gfx942 {

struct Conversion {
  /// Two elements in one word, each rounded to nearest, ties to even; any NaN stays a NaN.
  template <Element16 Element>
  static HK_DEVICE uint32 round_pair(float low, float high) {
    if constexpr (SameAs<Element, bfloat16>)
      return upper_halves(low == low ? bfloat16_carry(low) : k_quiet_nan,
                          high == high ? bfloat16_carry(high) : k_quiet_nan);
    else
      return __builtin_bit_cast(uint32, __builtin_convertvector((Float2{low, high}), Half2));
  }

  /// The same for probabilities, 5 instead of 11 instructions per pair of bfloat16. The carry can only destroy a NaN
  /// whose lower half is not zero (0x7fffffff + 0x8000 is -0). A NaN probability is 2^x of a NaN that an invalid
  /// operation made (0x7fc00000) or that was widened from a bfloat16 input; both have a lower half of zeros.
  template <Element16 Element>
  static HK_DEVICE uint32 round_probabilities(float low, float high) {
    if constexpr (SameAs<Element, bfloat16>)
      return upper_halves(bfloat16_carry(low), bfloat16_carry(high));
    else
      return round_pair<Element>(low, high);
  }

  /// sums + {low, high} of two elements in a word.
  template <Element16 Element>
  static HK_DEVICE Float2 add_pair(Float2 sums, uint32 pair) {
    if constexpr (SameAs<Element, bfloat16>)
      return sums + Float2{__builtin_bit_cast(float, pair << 16), __builtin_bit_cast(float, pair & 0xffff0000u)};
    else
      return {__builtin_amdgcn_fdot2(__builtin_bit_cast(Half2, pair), Half2{1, 1}, sums.x, false), sums.y};
  }

 private:
  static constexpr uint32 k_quiet_nan = 0x7fc00000u;

  /// Bits whose upper half is x rounded to bfloat16.
  static HK_DEVICE uint32 bfloat16_carry(float x) {
    const uint32 bits = __builtin_bit_cast(uint32, x);
    return bits + 0x7fffu + ((bits >> 16) & 1u);
  }
  static HK_DEVICE uint32 upper_halves(uint32 low, uint32 high) {
    return __builtin_amdgcn_perm(high, low, 0x07060302u);
  }
};

} // namespace hk::gfx942
