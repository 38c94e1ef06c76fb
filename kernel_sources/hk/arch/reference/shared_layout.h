#pragma once
// Where the elements of a shared tile lie: row after row.

#include <hk/tile/shared_tile.h>

namespace hk::reference {

template <class Tile>
struct SharedLayout {
  /// Byte offset of an element.
  static constexpr int offset(int row, int column) {
    return (row * Tile::k_columns + column) * static_cast<int>(sizeof(typename Tile::Element));
  }
};

} // namespace hk::reference
