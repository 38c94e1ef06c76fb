#pragma once
// Between fp32 and 16-bit elements.

#include <hk/tile/element.h>

namespace hk::reference {

struct Conversion {
  /// To nearest, ties to even; a NaN stays a NaN.
  template <Element16 Element>
  static Element round(float x) {
    if constexpr (__is_same(Element, bfloat16)) {
      const uint32 bits = __builtin_bit_cast(uint32, x);
      if (x != x)
        return {static_cast<uint16>((bits >> 16) | 0x40u)};
      return {static_cast<uint16>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
    } else {
      return {__builtin_bit_cast(uint16, static_cast<_Float16>(x))};
    }
  }
  template <Element16 Element>
  static float widen(Element x) {
    if constexpr (__is_same(Element, bfloat16))
      return __builtin_bit_cast(float, static_cast<uint32>(x.bits) << 16);
    else
      return static_cast<float>(__builtin_bit_cast(_Float16, x.bits));
  }
};

} // namespace hk::reference
