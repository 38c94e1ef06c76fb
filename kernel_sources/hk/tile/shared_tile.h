#pragma once
// A tile in the memory that the waves of one workgroup share.

#include <hk/tile/coordinate.h>
#include <hk/tile/integers.h>

namespace hk {

/// Storage for Rows x Columns elements that mma reads as an operand whose depth runs along Axis. Where an element lies
/// in `bytes` is the target's business: each target chooses one layout per (writer, reader) pair in its
/// shared_layout.h.
template <class ElementType, int Rows, int Columns, DepthAxis Axis>
struct SharedTile {
  using Element = ElementType;
  static constexpr int k_rows = Rows;
  static constexpr int k_columns = Columns;
  static constexpr DepthAxis k_depth_axis = Axis;
  static constexpr int k_major = Axis == DepthAxis::columns ? Rows : Columns;
  static constexpr int k_depth = Axis == DepthAxis::columns ? Columns : Rows;
  static constexpr int k_bytes = Rows * Columns * static_cast<int>(sizeof(Element));

  alignas(16) uint8 bytes[k_bytes];
};

} // namespace hk
