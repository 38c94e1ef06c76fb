#pragma once
// The two phases of a load into shared memory.

#include <hk/arch/reference/global_memory.h>
#include <hk/arch/reference/shared_memory.h>

namespace hk::reference {

struct StagedLoads {
  /// prefetch remembers what to load, deposit copies it: a slot must be free for the second only, as on targets that
  /// hold the data in registers.
  template <class Tile, class View, int Waves>
  struct Staging {
    struct Pending {
      static constexpr int k_memory_instructions = 0;
      View view;
    };

    static Pending prefetch(const View& view, const Tile& /*slot*/) { return {view}; }
    static void deposit(const Pending& pending, Tile& slot) {
      const GlobalMemory::RowReader<View, Tile::k_rows> reader(pending.view);
      for (int row = 0; row < Tile::k_rows; ++row) {
        for (int column = 0; column < Tile::k_columns; ++column) {
          const typename Tile::Element element = reader.load({row, column});
          __builtin_memcpy(slot.bytes + SharedLayout<Tile>::offset(row, column), &element, sizeof(element));
        }
      }
    }
  };
};

} // namespace hk::reference
