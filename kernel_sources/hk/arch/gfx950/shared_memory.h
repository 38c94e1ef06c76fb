#pragma once
// Operands out of shared tiles.

#include <hk/arch/gfx950/execution.h>
#include <hk/arch/gfx950/matrix.h>
#include <hk/arch/gfx950/shared_layout.h>

namespace hk::gfx950 {

struct SharedMemory {
  template <class T>
  using SharedPointer = __attribute__((address_space(3))) T*;

  /// One ds_read_b128, or two ds_read_b64_tr_b16 that transpose.
  template <DepthOrder Order, OperandSide /*Side*/, class Tile>
  static HK_DEVICE Matrix::Fragment<typename Tile::Element> load_fragment(const Tile& tile, int major_block,
                                                                          int depth_block) {
    static_assert((Order == DepthOrder::memory) == (Tile::k_depth_axis == DepthAxis::columns),
                  "rows are read in DepthOrder::memory, columns in DepthOrder::accumulator");
    using Layout = SharedLayout<Tile::k_rows, Tile::k_columns, Tile::k_depth_axis>;
    const int lane = Execution::lane();
    if constexpr (Order == DepthOrder::memory) {
      return {*(SharedPointer<const Words4>)(tile.bytes + Layout::read_offset(lane, major_block, depth_block))};
    } else {
      const Words2 low =
          read_transposed(tile.bytes + Layout::transposed_read_offset(lane, major_block, depth_block, 0));
      const Words2 high =
          read_transposed(tile.bytes + Layout::transposed_read_offset(lane, major_block, depth_block, 1));
      return {Words4{low.x, low.y, high.x, high.y}};
    }
  }

 private:
  static HK_DEVICE Words2 read_transposed(const uint8* address) {
    using Short4 = int16 __attribute__((ext_vector_type(4)));
    return __builtin_bit_cast(Words2, __builtin_amdgcn_ds_read_tr16_b64_v4i16((SharedPointer<Short4>)(address)));
  }
};

} // namespace hk::gfx950
