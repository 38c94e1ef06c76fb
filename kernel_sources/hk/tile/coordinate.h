#pragma once
// The words in which targets and tiles describe where an element of a matrix lies.

namespace hk {

/// Position in a tile. For an operand the row is its major index (row of A, column of B) and the column its depth.
struct Coordinate {
  int row;
  int column;

  friend constexpr Coordinate operator+(Coordinate a, Coordinate b) { return {a.row + b.row, a.column + b.column}; }
  friend constexpr bool operator==(Coordinate a, Coordinate b) = default;
};

/// Which axis of a row-major tile in memory is summed over when the tile is an operand of mma.
enum class DepthAxis {
  columns, ///< depth is contiguous in memory (the keys in K Q^T)
  rows,    ///< the major index is contiguous in memory (the values in V^T P^T): the reader transposes
};

/// Order in which the depth of an operand is dealt over lanes and elements. A sum does not depend on it, so both
/// operands of one mma may use any order as long as they use the same.
enum class DepthOrder {
  memory,      ///< the elements of one lane are contiguous in memory, so that a row is read in the widest loads
  accumulator, ///< the order in which an mma leaves its results, so that a result is an operand without any exchange
};

/// Which operand of mma(sum, a, b) a fragment is. Both hold the same elements; a target whose instructions take them
/// from differently grouped registers reads them accordingly.
enum class OperandSide {
  a,
  b,
};

/// Which of the two products of attention leaves its result in a form that the second product takes from registers.
enum class ScoreOrientation {
  keys_by_queries, ///< S^T = K Q^T, then O^T += V^T P^T
  queries_by_keys, ///< S = Q K^T, then O += P V
};

/// Which workgroups a target runs at the same time on cores that share a cache. Hardware starts workgroups 0, 1, 2, ...
/// about in this order.
enum class CacheSharing {
  strided,    ///< every n-th workgroup, n being the number of compute dies: each has a cache of its own
  contiguous, ///< neighbours: all cores share one cache
};

} // namespace hk
