#pragma once
// The register types of one lane.

#include <hk/arch/sm80/language.h>
#include <hk/tile/element.h>

namespace hk::sm80 {

/// 16 bytes: a chunk of a row.
struct alignas(16) Words4 {
  uint32 words[4];
};

struct Registers {
  /// This lane's part of a 16x16 accumulator, see register_layout.h.
  struct AccumulatorBlock {
    float values[8];

    HK_DEVICE float operator[](int element) const { return values[element]; }
    HK_DEVICE float& operator[](int element) { return values[element]; }
  };

  /// This lane's 8 elements of a 16x16 operand, two per word: one word per 8x8 quarter.
  template <Element16 Element>
  struct Fragment {
    uint32 words[4];
  };

  static HK_DEVICE AccumulatorBlock zero_block() { return {}; }
};

} // namespace hk::sm80
