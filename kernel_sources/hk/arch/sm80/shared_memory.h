#pragma once
// Operands out of shared tiles: a fragment is one ldmatrix of four 8x8 matrices.

#include <hk/arch/sm80/execution.h>
#include <hk/arch/sm80/matrix.h>
#include <hk/arch/sm80/shared_layout.h>

namespace hk::sm80 {

struct SharedMemory {
  /// Both orders of depth are the same here.
  template <DepthOrder /*Order*/, class Tile>
  static HK_DEVICE Matrix::Fragment<typename Tile::Element> load_fragment(const Tile& tile, int major_block,
                                                                          int depth_block) {
    using Layout = SharedLayout<Tile::k_rows, Tile::k_columns>;
    const int lane = Execution::lane();
    const uint32 base = address(tile.bytes);
    Matrix::Fragment<typename Tile::Element> fragment;
    uint32(&words)[4] = fragment.words;
    // Volatile keeps the reads between the barriers around them; ptxas is still free to start them early.
    if constexpr (Tile::k_depth_axis == DepthAxis::columns)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(words[0]), "=r"(words[2]), "=r"(words[1]), "=r"(words[3])
                   : "r"(base + Layout::read_offset(lane, major_block, depth_block)));
    else
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                   : "r"(base + Layout::read_offset(lane, depth_block, major_block)));
    return fragment;
  }
  static HK_DEVICE uint32 address(const void* shared) { return static_cast<uint32>(__cvta_generic_to_shared(shared)); }
  static HK_DEVICE void store_chunk(uint8* destination, Words4 chunk) {
    *reinterpret_cast<Words4*>(destination) = chunk;
  }
};

} // namespace hk::sm80
