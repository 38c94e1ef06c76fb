#pragma once
// Operands out of shared tiles: a fragment is one ldmatrix of four 8x8 matrices.

#include <hk/arch/sm80/execution.h>
#include <hk/arch/sm80/matrix.h>
#include <hk/arch/sm80/shared_layout.h>

namespace hk::sm80 {

struct SharedMemory {
  /// Both orders of depth are the same here. What differs is the order of the four 8x8 quarters: the instruction takes
  /// A from four consecutive registers, left quarters first, and B from two pairs, each of one 8 of the major index.
  /// The quarters are read in the order of the registers, or every product would need moves.
  template <DepthOrder /*Order*/, OperandSide Side, class Tile>
  static HK_DEVICE Matrix::Fragment<typename Tile::Element> load_fragment(const Tile& tile, int major_block,
                                                                          int depth_block) {
    using Layout = SharedLayout<Tile::k_rows, Tile::k_columns>;
    constexpr bool rows_are_major = Tile::k_depth_axis == DepthAxis::columns;
    constexpr bool major_first = Side == OperandSide::a;
    constexpr auto order = rows_are_major == major_first ? QuarterOrder::rows_first : QuarterOrder::columns_first;
    const int offset = Layout::read_offset(order, Execution::lane(), rows_are_major ? major_block : depth_block,
                                           rows_are_major ? depth_block : major_block);
    const uint32 source = address(tile.bytes) + offset;
    uint32 quarters[4];
    // Volatile keeps the reads between the barriers around them; ptxas is still free to start them early.
    if constexpr (rows_are_major)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(quarters[0]), "=r"(quarters[1]), "=r"(quarters[2]), "=r"(quarters[3])
                   : "r"(source));
    else
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(quarters[0]), "=r"(quarters[1]), "=r"(quarters[2]), "=r"(quarters[3])
                   : "r"(source));
    if constexpr (major_first)
      return {quarters[0], quarters[1], quarters[2], quarters[3]};
    else
      return {quarters[0], quarters[2], quarters[1], quarters[3]};
  }
  static HK_DEVICE uint32 address(const void* shared) { return static_cast<uint32>(__cvta_generic_to_shared(shared)); }
  static HK_DEVICE void store_chunk(uint8* destination, Words4 chunk) {
    *reinterpret_cast<Words4*>(destination) = chunk;
  }
};

} // namespace hk::sm80
