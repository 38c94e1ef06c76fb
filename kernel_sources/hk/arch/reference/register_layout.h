#pragma once
// Which lane holds what. One lane holds everything, one element per block.

#include <hk/tile/coordinate.h>

namespace hk::reference {

struct AccumulatorLayout {
  static constexpr int k_rows = 1;
  static constexpr int k_columns = 1;
  static constexpr int k_elements = 1;
  static constexpr int k_rows_per_lane = 1;
  static constexpr int k_columns_per_lane = 1;
  static constexpr int k_run = 1;

  static constexpr Coordinate coordinate(int /*lane*/, int /*element*/) { return {0, 0}; }
  static constexpr int row_slot(int /*element*/) { return 0; }
  static constexpr int row_of_slot(int /*slot*/) { return 0; }
  static constexpr int column_slot(int /*element*/) { return 0; }
  static constexpr int column_of_slot(int /*slot*/) { return 0; }
};

struct OperandLayout {
  static constexpr int k_major = 1;
  static constexpr int k_depth = 1;
  static constexpr int k_elements = 1;
  static constexpr int k_piece = 1;
  static constexpr int k_majors_per_lane = 1;

  static constexpr Coordinate coordinate(DepthOrder /*order*/, int /*lane*/, int /*element*/) { return {0, 0}; }
};

} // namespace hk::reference
