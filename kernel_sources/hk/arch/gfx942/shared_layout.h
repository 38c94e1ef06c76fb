#pragma once
// Where the elements of a shared tile lie: one layout per pair of writer and reader. Constant expressions only; a host
// test proves them complete and free of bank conflicts.
//
// LDS has 32 banks of 4 bytes. A 16-byte access is served 8 lanes at a time, which together may touch each bank once:
// reads by {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27} and the same plus 32, writes by 8 consecutive lanes. An
// 8-byte write is taken to be served 16 consecutive lanes at a time. All groups below are in units of a chunk of 16
// bytes; a line is the 8 chunks that span all banks.
// Source: ROCm blog "Avoiding LDS Bank Conflicts on AMD GPUs using CK-Tile".

#include <hk/tile/shared_tile.h>

namespace hk::gfx942 {

template <int Rows, int Columns, DepthAxis Axis>
struct SharedLayout;

/// Rows stay rows. Writer: ds_write_b128, consecutive lanes write consecutive chunks of a row. Reader: ds_read_b128,
/// lane l reads a chunk of row l % 32. Chunks of a line are permuted by an XOR with the line's number, so that the 8
/// rows of a read group (distinct modulo 8) lie in different banks.
template <int Rows, int Columns>
struct SharedLayout<Rows, Columns, DepthAxis::columns> {
  static constexpr int k_chunks_per_row = Columns / 8;
  static constexpr int k_chunks = Rows * k_chunks_per_row;
  static_assert(k_chunks_per_row % 8 == 0, "a row spans whole lines");

  static constexpr int offset(int row, int chunk) { return (row * k_chunks_per_row + (chunk ^ (row % 8))) * 16; }
  /// Where lane `lane` finds its 8 elements of fragment (major_block, depth_block), in DepthOrder::memory: chunk
  /// 2 depth_block + lane / 32 of row 32 major_block + lane % 32. Split into a lane part, an XOR within the line and a
  /// sum beyond it, so that fragments share four address registers and differ in the instruction's offset.
  static constexpr int read_offset(int lane, int major_block, int depth_block) {
    const int line_part = offset(lane % 32, lane / 32) ^ (depth_block % 4 * 32);
    return line_part + depth_block / 4 * 128 + major_block * 32 * k_chunks_per_row * 16;
  }
};

/// Rows become columns: what is contiguous is the depth (the rows of the tile) of one column, in the order in which a
/// fragment in DepthOrder::accumulator wants it, so that a fragment is one ds_read_b128 per lane. The writer has a
/// block of 4 rows x 4 columns in registers, transposed, and writes 4 columns x 8 bytes with ds_write_b64.
///
/// Chunk (column, c) holds the rows 16 (c / 2) + 4 (c % 2) + {0..3} and the same + 8.
template <int Rows, int Columns>
struct SharedLayout<Rows, Columns, DepthAxis::rows> {
  static constexpr int k_chunks_per_column = Rows / 8;
  static_assert(k_chunks_per_column == 4 || k_chunks_per_column % 8 == 0, "a column is half a line or whole lines");
  static constexpr int k_block = 4; ///< rows and columns of what a writer transposes
  static constexpr int k_blocks = Rows * Columns / (k_block * k_block);

  /// XORed into the chunk's place in its line. Reads see the columns of a read group, {4a..4a+3} with a in {x, x ^ 5};
  /// writes the columns 4a + i for 8 consecutive a and one i. Both are injective: a (3 bits) alone moves a write to 8
  /// places, and for a read a flips bits 0 and 2 while i moves it within bits 0 and 1.
  static constexpr int swizzle(int column) {
    const int a = (column / 4) % 8;
    return k_chunks_per_column == 4 ? a ^ (column & 2) : a ^ (column & 3);
  }
  static constexpr int offset(int row, int column) {
    const int chunk = row / 16 * 2 + row % 8 / 4;
    const int upper = row % 16 / 8;
    return ((column * k_chunks_per_column + chunk) ^ swizzle(column)) * 16 + upper * 8 + row % 4 * 2;
  }
  /// Chunk 2 depth_block + lane / 32 of column 32 major_block + lane % 32, split as above.
  static constexpr int read_offset(int lane, int major_block, int depth_block) {
    const int line_part = offset(4 * (lane / 32), lane % 32) ^ (depth_block % 4 * 32);
    return line_part + depth_block / 4 * 128 + major_block * 32 * k_chunks_per_column * 16;
  }
  /// Top left element of the block that position `position` of a writer's sequence transposes. Even and odd positions
  /// are the lower and upper 8 bytes of the same chunks, so that 16 consecutive lanes write 8 whole chunks. Then come
  /// the columns of one 128-byte piece of a row in global memory, then the chunks, then the next piece.
  static constexpr Coordinate block_at(int position) {
    const int column = position / 2 % 16 * k_block;
    const int chunk = position / 32 % k_chunks_per_column;
    const int piece = position / 32 / k_chunks_per_column;
    return {chunk / 2 * 16 + chunk % 2 * 4 + position % 2 * 8, piece * 64 + column};
  }
};

} // namespace hk::gfx942
