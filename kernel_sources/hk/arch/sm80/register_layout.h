#pragma once
// Which lane holds what of a 16x16 product. Source: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point
// type". Four consecutive lanes share a row; lane l has rows l / 4 and l / 4 + 8.
//
// A 16x16 block of the result is two instructions of 8 columns each, which makes its layout that of A.

#include <hk/tile/coordinate.h>

namespace hk::sm80 {

/// C and D of two instructions, the left 8 columns first: a lane's pairs go through the four 8x8 quarters, down first.
struct AccumulatorLayout {
  static constexpr int k_rows = 16;
  static constexpr int k_columns = 16;
  static constexpr int k_elements = 8;
  static constexpr int k_rows_per_lane = 2;
  static constexpr int k_columns_per_lane = 4;
  static constexpr int k_run = 2;

  static constexpr Coordinate coordinate(int lane, int element) {
    return {lane / 4 + 8 * row_slot(element), 2 * (lane % 4) + element % 2 + 8 * (element / 4)};
  }
  static constexpr int row_slot(int element) { return element / 2 % 2; }
  static constexpr int row_of_slot(int slot) { return 8 * slot; }
  static constexpr int column_slot(int element) { return element / 4 * 2 + element % 2; }
  static constexpr int column_of_slot(int slot) { return slot / 2 * 8 + slot % 2; }
};

/// A, and B of two instructions (its columns are the major index): the same quarters in the same order. That of the
/// accumulator is also the order in which ldmatrix reads rows, so both orders of depth are one.
struct OperandLayout {
  static constexpr int k_major = 16;
  static constexpr int k_depth = 16;
  static constexpr int k_elements = 8;
  static constexpr int k_piece = 2;
  static constexpr int k_majors_per_lane = 2;

  static constexpr Coordinate coordinate(DepthOrder /*order*/, int lane, int element) {
    return AccumulatorLayout::coordinate(lane, element);
  }
  static constexpr int major_slot(int element) { return AccumulatorLayout::row_slot(element); }
};

} // namespace hk::sm80
