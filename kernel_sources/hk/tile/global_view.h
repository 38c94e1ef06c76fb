#pragma once
// Rows of a matrix in global memory.

#include <hk/tile/element.h>
#include <hk/tile/integers.h>

namespace hk {

/// Up to `rows` rows of `Columns` elements, `row_stride` bytes apart (any value >= 0: expanded tensors have 0).
/// Reads at or past `rows` give zero and touch no memory; writes there are dropped.
/// Aligned promises that `first` and `row_stride` are multiples of 16 bytes and that row_stride < 2^24 bytes; without
/// it only the alignment of one element is promised.
/// Pointee is an element type, const for inputs.
template <class Pointee, int Columns, bool Aligned>
struct GlobalView {
  using Element = typename WithoutConst<Pointee>::Type;
  static constexpr int k_columns = Columns;
  static constexpr bool k_aligned = Aligned;

  Pointee* first;
  int64 row_stride;
  int32 rows;

  /// The view that starts `row` rows further on. The step is taken in 64 bits: what a tile addresses after it is small.
  constexpr GlobalView from_row(int32 row) const {
    return {advance(first, row * row_stride), row_stride, rows > row ? rows - row : 0};
  }

  static constexpr Pointee* advance(Pointee* pointer, int64 bytes) {
    return pointer + bytes / static_cast<int64>(sizeof(Element));
  }
};

} // namespace hk
