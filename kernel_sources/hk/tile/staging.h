#pragma once
// Movement between global memory, shared memory and registers.
//
// A load into shared memory has two phases. prefetch starts it and returns what is still to be done; deposit completes
// that. Targets that load straight into shared memory write the slot during prefetch and have an empty deposit; others
// hold the data in registers in between. A caller that is right for both therefore
//   - calls prefetch only when the slot is free (every wave has released it), and deposit likewise;
//   - calls deposit once on every pending load, before publish.

#include <hk/target.h>
#include <hk/tile/global_view.h>
#include <hk/tile/register_tile.h>
#include <hk/tile/shared_tile.h>

namespace hk {

/// What prefetch<Waves>(view, slot) returns. k_memory_instructions is the number of memory instructions that one wave
/// has in flight after prefetch and that the compiler does not count: the unit of wait_until_at_most.
template <class Tile, class View, int Waves>
using Pending = typename Target::Staging<Tile, View, Waves>::Pending;

/// Starts to load the first Tile::k_rows rows of `view` with the `Waves` waves of the workgroup; rows that the view
/// does not have become zeros.
template <int Waves, class Tile, class View>
HK_DEVICE Pending<Tile, View, Waves> prefetch(const View& view, Tile& slot) {
  static_assert(View::k_columns == Tile::k_columns, "a tile takes whole rows");
  return Target::Staging<Tile, View, Waves>::prefetch(view, slot);
}

template <int Waves, class View, class Tile>
HK_DEVICE void deposit(const Pending<Tile, View, Waves>& pending, Tile& slot) {
  Target::Staging<Tile, View, Waves>::deposit(pending, slot);
}

/// Returns when, of the memory instructions that this wave has issued through prefetch, at most those of the types
/// `Later` are in flight. Instructions finish in order, so everything that was issued before them has landed.
template <class... Later>
HK_DEVICE void wait_until_at_most() {
  Target::wait_until_at_most<(Later::k_memory_instructions + ... + 0)>();
}

/// After publish, what every wave has prefetched and deposited into the slot is visible to all waves; prefetches of the
/// types `Later`, issued after those of the slot, may still be in flight. Also completes this wave's reads of shared
/// memory, so every slot that the waves read before it is free after it.
template <class... Later>
HK_DEVICE void publish() {
  wait_until_at_most<Later...>();
  Target::synchronize_waves();
}

/// After release, every wave has finished reading the slots it was told to read: they may be written again.
HK_DEVICE void release() {
  Target::synchronize_waves();
}

/// The first Operand::k_major rows of `view` as an operand in registers: each wave loads for itself.
template <class Operand, class View>
HK_DEVICE Operand load_operand(const View& view) {
  static_assert(View::k_columns == Operand::k_depth && Operand::k_depth_order == DepthOrder::memory,
                "an operand that is loaded holds whole rows in memory order");
  using Block = Target::OperandLayout;
  const Target::RowReader<View, Operand::k_major> reader(view);
  const Coordinate mine = Block::coordinate(DepthOrder::memory, Target::lane(), 0);
  Operand operand;
  HK_UNROLL
  for (int major = 0; major < Operand::k_major_blocks; ++major) {
    HK_UNROLL
    for (int depth = 0; depth < Operand::k_depth_blocks; ++depth) {
      operand.fragment(major, depth) =
          reader.load_fragment(mine + Coordinate{major * Block::k_major, depth * Block::k_depth});
    }
  }
  return operand;
}

/// Shared memory that hold_operand takes for `waves` waves.
template <class Element, int Major, int Depth>
constexpr int held_operand_bytes(int waves) {
  return Target::holds_in_registers(Major, Depth)
             ? 0
             : waves * static_cast<int>(sizeof(SharedTile<Element, Major, Depth, DepthAxis::columns>));
}

/// The first `Major` rows of `view` as an operand that the wave keeps all through the kernel: a RegisterOperand if the
/// target has room for one, else a reference to a SharedTile of the wave's own. The latter lies in the
/// held_operand_bytes at `Offset` of shared memory and may be read after the next publish.
template <int Major, int Waves, int Offset, class View>
HK_DEVICE decltype(auto) hold_operand(const View& view) {
  using Element = typename View::Element;
  if constexpr (Target::holds_in_registers(Major, View::k_columns)) {
    return load_operand<RegisterOperand<Element, Major, View::k_columns, DepthOrder::memory>>(view);
  } else {
    using Tile = SharedTile<Element, Major, View::k_columns, DepthAxis::columns>;
    struct Tiles {
      Tile of_wave[Waves];
    };
    HK_SHARED(Tiles, tiles, Offset);
    Tile& mine = tiles.of_wave[Target::wave()];
    deposit<1, View>(prefetch<1>(view, mine), mine);
    return static_cast<const Tile&>(mine);
  }
}

} // namespace hk
