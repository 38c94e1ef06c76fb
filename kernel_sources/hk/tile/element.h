#pragma once
// 16-bit floating point as bits. Tiles move these; only a target converts them (Target::round, Target::widen).

#include <hk/tile/integers.h>

namespace hk {

/// 1 sign, 8 exponent, 7 fraction bits: the upper half of an IEEE binary32.
struct bfloat16 {
  uint16 bits;
};

/// IEEE binary16: 1 sign, 5 exponent, 10 fraction bits.
struct float16 {
  uint16 bits;
};

template <class T>
struct WithoutConst {
  using Type = T;
};
template <class T>
struct WithoutConst<const T> {
  using Type = T;
};

template <class T, class U>
inline constexpr bool k_same = false;
template <class T>
inline constexpr bool k_same<T, T> = true;

template <class T, class U>
concept SameAs = k_same<T, U>;

template <class T>
concept Element16 = SameAs<T, bfloat16> || SameAs<T, float16>;

} // namespace hk
