#pragma once
// Operands out of shared tiles: a fragment is one 16-byte read per lane.

#include <hk/arch/gfx942/matrix.h>
#include <hk/arch/gfx942/shared_layout.h>

namespace hk::gfx942 {

struct SharedMemory {
  template <class Words>
  using SharedPointer = __attribute__((address_space(3))) Words*;

  template <DepthOrder Order, OperandSide /*Side*/, class Tile>
  static HK_DEVICE Matrix::Fragment<typename Tile::Element> load_fragment(const Tile& tile, int major_block,
                                                                          int depth_block) {
    static_assert((Order == DepthOrder::memory) == (Tile::k_depth_axis == DepthAxis::columns),
                  "rows are stored for DepthOrder::memory, columns for DepthOrder::accumulator");
    using Layout = SharedLayout<Tile::k_rows, Tile::k_columns, Tile::k_depth_axis>;
    return {
        *(SharedPointer<const Words4>)(tile.bytes + Layout::read_offset(Execution::lane(), major_block, depth_block))};
  }
  template <class Words, class Tile>
  static HK_DEVICE void store_words(Tile& tile, int offset, Words words) {
    *(SharedPointer<Words>)(tile.bytes + offset) = words;
  }
};

} // namespace hk::gfx942
