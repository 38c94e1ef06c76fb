#pragma once
// Where the elements of a shared tile lie: one layout per pair of writer and reader. Constant expressions only; a host
// test proves them complete and free of bank conflicts.
//
// LDS has 64 banks of 4 bytes for reads. ds_read_b128 is served 16 lanes at a time, {0-3,12-15,20-27}
// {4-11,16-19,28-31} and the same plus 32, ds_read_b64_tr_b16 (taken to be as ds_read_b64) 32 lanes at a time,
// consecutive ones; the lanes of a group may together touch each bank once. Sources disagree on the number of banks, so
// the layouts are also free of conflicts with 32 banks and the groups of gfx942 (8 lanes for b128, 16 for b64).
//
// The writer of both layouts is the direct load, which fills 1024 consecutive bytes per wave and instruction; it cannot
// scatter, so what is permuted is the address in global memory that a lane reads.
// Source: HipKittens' measurements on MI350X; "Avoiding LDS Bank Conflicts ... CK-Tile" for the groups of 8.

#include <hk/tile/shared_tile.h>

namespace hk::gfx950 {

template <int Rows, int Columns, DepthAxis Axis>
struct SharedLayout {
  static constexpr int k_chunks_per_row = Columns / 8;
  static constexpr int k_chunks = Rows * k_chunks_per_row;
  static_assert(k_chunks_per_row == 8 || k_chunks_per_row == 16, "a row is 128 or 256 bytes");

  /// XORed into the number of a 16-byte chunk in its row. In terms of the bits of `row` (each line: what the lanes of a
  /// read group differ in, and where these differences must not vanish):
  ///
  /// Depth along the columns, equal chunks of 16 rows: bits {1, 2, 4+8, 4+16} over 256 bytes, {1, 2, 4+16} over 128.
  /// Depth along the rows, 4 chunks of each of 4 rows: bits {1, 2} and the two low chunk bits over 256 bytes, {1, 2}
  /// and the lowest chunk bit over 128. Rows of 128 bytes have bit 1 in the address already.
  static constexpr int swizzle(int row) {
    if constexpr (Axis == DepthAxis::columns)
      return k_chunks_per_row == 16 ? row % 16 : row % 8 ^ row / 8 % 2 * 5;
    else
      return k_chunks_per_row == 16 ? row % 2 * 4 ^ row / 2 % 2 * 10 : row % 4 * 2;
  }
  static constexpr int offset(int row, int chunk) { return (row * k_chunks_per_row + (chunk ^ swizzle(row))) * 16; }
  /// Row and chunk that the 16 bytes at `position` chunks from the start hold: the inverse of offset.
  static constexpr Coordinate chunk_at(int position) {
    const int row = position / k_chunks_per_row;
    return {row, position % k_chunks_per_row ^ swizzle(row)};
  }

  /// Where lane `lane` finds its 8 elements of fragment (major_block, depth_block), in DepthOrder::memory: chunk
  /// 2 depth_block + lane / 32 of row 32 major_block + lane % 32. Split into a lane part, an XOR and a sum, so that
  /// fragments of one depth share an address register and differ in the instruction's offset.
  static constexpr int read_offset(int lane, int major_block, int depth_block)
    requires(Axis == DepthAxis::columns)
  {
    return (offset(lane % 32, lane / 32) ^ (32 * depth_block)) + major_block * 32 * k_chunks_per_row * 16;
  }

  /// What lane `lane` hands to ds_read_b64_tr_b16 for elements 4 part .. 4 part + 3 of its fragment, in
  /// DepthOrder::accumulator. The 16 lanes of a quarter wave name 4 rows of 16 columns, 4 elements each, and get a
  /// column of 4 rows each: rows 16 depth_block + 8 part + 4 (lane / 32) + {0..3}, columns 32 major_block + {0..15} or
  /// + 16.
  static constexpr int transposed_read_offset(int lane, int major_block, int depth_block, int part)
    requires(Axis == DepthAxis::rows)
  {
    const int row = 4 * (lane / 32) + lane % 16 / 4;
    const int column = lane % 32 / 16 * 16 + lane % 4 * 4;
    const int lane_part = offset(row, column / 8) + column % 8 * 2;
    return (lane_part ^ (64 * major_block)) + (16 * depth_block + 8 * part) * k_chunks_per_row * 16;
  }
};

} // namespace hk::gfx950
