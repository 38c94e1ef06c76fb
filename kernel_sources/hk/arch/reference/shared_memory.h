#pragma once
// Operands out of shared tiles.

#include <hk/arch/reference/matrix.h>
#include <hk/arch/reference/shared_layout.h>

namespace hk::reference {

struct SharedMemory {
  template <DepthOrder Order, OperandSide /*Side*/, class Tile>
  static Matrix::Fragment<typename Tile::Element> load_fragment(const Tile& tile, int major, int depth) {
    using Element = typename Tile::Element;
    const bool columns = Tile::k_depth_axis == DepthAxis::columns;
    const int offset = SharedLayout<Tile>::offset(columns ? major : depth, columns ? depth : major);
    Element element;
    __builtin_memcpy(&element, tile.bytes + offset, sizeof(element));
    return {Conversion::widen(element)};
  }
};

} // namespace hk::reference
