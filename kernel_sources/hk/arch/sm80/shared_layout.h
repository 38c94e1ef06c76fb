#pragma once
// Where the elements of a shared tile lie. Constant expressions only; a host test proves the layout complete and free
// of bank conflicts.
//
// Shared memory has 32 banks of 4 bytes. ldmatrix reads 8x8 matrices, each as 8 rows of 16 bytes named by 8 consecutive
// lanes; cp.async and 16-byte stores write 8 consecutive lanes at a time. The 8 chunks of 16 bytes of such a group must
// lie in different places of a line, the 8 chunks that span all banks.
//
// One layout serves both axes: rows stay rows, and ldmatrix transposes on the way if it has to.

#include <hk/tile/shared_tile.h>

namespace hk::sm80 {

/// The order of the four 8x8 quarters of a 16x16 block. Both begin with the upper left.
enum class QuarterOrder {
  rows_first,    ///< then lower left, upper right
  columns_first, ///< then upper right, lower left
};

template <int Rows, int Columns>
struct SharedLayout {
  static constexpr int k_chunks_per_row = Columns / 8;
  static constexpr int k_chunks = Rows * k_chunks_per_row;
  static_assert(k_chunks_per_row % 8 == 0, "a row spans whole lines");

  /// Chunks of a line are permuted by an XOR with the row: the 8 rows of a matrix, distinct modulo 8, take 8 places,
  /// and so do 8 chunks of one row.
  static constexpr int offset(int row, int chunk) { return (row * k_chunks_per_row + (chunk ^ (row % 8))) * 16; }

  /// What lane `lane` hands to ldmatrix.x4 for the 16x16 block (row_block, column_block): a row of quarter lane / 8.
  /// Split into a lane part, an XOR within the line and a sum beyond it, so that the reads in one order share four
  /// address registers and differ in the instruction's offset.
  static constexpr int read_offset(QuarterOrder order, int lane, int row_block, int column_block) {
    const bool rows_first = order == QuarterOrder::rows_first;
    const int lower = rows_first ? lane / 8 % 2 : lane / 16;
    const int right = rows_first ? lane / 16 : lane / 8 % 2;
    const int line_part = offset(lane % 8 + 8 * lower, right) ^ (column_block % 4 * 32);
    return line_part + column_block / 4 * 128 + row_block * 16 * k_chunks_per_row * 16;
  }
};

} // namespace hk::sm80
