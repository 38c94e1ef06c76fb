#pragma once
// The register types of the one lane.

#include <hk/tile/element.h>

namespace hk::reference {

struct Registers {
  struct AccumulatorBlock {
    float value;

    float operator[](int) const { return value; }
    float& operator[](int) { return value; }
  };

  /// Widened once when it is loaded; every 16-bit element is exact in fp32.
  template <Element16 Element>
  struct Fragment {
    float value;
  };
};

} // namespace hk::reference
