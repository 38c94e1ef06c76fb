#pragma once
// The register types of one lane.

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
};

} // namespace hk::gfx942
