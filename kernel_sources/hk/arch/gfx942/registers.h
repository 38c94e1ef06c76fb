#pragma once
// The register types of one lane.

#include <hk/arch/gfx942/language.h>
#include <hk/tile/element.h>

namespace hk::gfx942 {

using Words2 = uint32 __attribute__((ext_vector_type(2)));
using Words4 = uint32 __attribute__((ext_vector_type(4)));
using Float2 = float __attribute__((ext_vector_type(2)));
using Half2 = _Float16 __attribute__((ext_vector_type(2)));

struct Registers {
  /// This lane's part of a 32x32 accumulator, see register_layout.h.
  using AccumulatorBlock = float __attribute__((ext_vector_type(16)));

  /// This lane's 8 elements of a 32x16 operand, two per word.
  template <Element16 Element>
  struct Fragment {
    Words4 words;
  };

  /// Written as eight moves that the compiler cannot see through. A constant would do, but clang 21 keeps a constant
  /// block that starts more than one sum in 16 scalar registers all through the loop, and copies it by the same eight
  /// moves.
  static HK_DEVICE AccumulatorBlock zero_block() {
    using Pairs8 = uint64 __attribute__((ext_vector_type(8)));
    Pairs8 pairs;
    HK_UNROLL
    for (int i = 0; i < 8; ++i) {
      uint64 zero = 0;
      asm volatile("" : "+v"(zero));
      pairs[i] = zero;
    }
    return __builtin_bit_cast(AccumulatorBlock, pairs);
  }
};

} // namespace hk::gfx942
