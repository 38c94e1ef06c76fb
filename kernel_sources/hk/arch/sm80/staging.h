#pragma once
// The two phases of a load into shared memory: cp.async does both.

#include <hk/arch/sm80/global_memory.h>
#include <hk/arch/sm80/shared_memory.h>

namespace hk::sm80 {

struct StagedLoads {
  /// `Waves` waves move a tile in passes, a chunk of 16 bytes per lane and pass.
  template <class Tile, int Waves>
  struct Passes {
    using Layout = SharedLayout<Tile::k_rows, Tile::k_columns>;
    static constexpr int k_threads = Waves * Execution::k_lanes;
    static constexpr int k_passes = Layout::k_chunks / k_threads;
    static constexpr int k_rows_per_pass = k_threads / Layout::k_chunks_per_row;
    static_assert(k_passes > 0 && Layout::k_chunks % k_threads == 0 && k_rows_per_pass > 0,
                  "the waves cover the tile in passes of whole rows");

    /// Row and chunk of the row that a thread moves in a pass.
    static HK_DEVICE Coordinate chunk_of(int thread, int pass) {
      return {pass * k_rows_per_pass + thread / Layout::k_chunks_per_row, thread % Layout::k_chunks_per_row};
    }
    /// How far that chunk lies in the slot from the thread's chunk of the first pass. A constant where the passes are
    /// whole multiples of the layout's period of 8 rows.
    static HK_DEVICE int distance(int thread, int pass) {
      if constexpr (k_rows_per_pass % 8 == 0) {
        return pass * k_threads * 16;
      } else {
        const Coordinate first = chunk_of(thread, 0), chunk = chunk_of(thread, pass);
        return Layout::offset(chunk.row, chunk.column) - Layout::offset(first.row, first.column);
      }
    }
  };

  /// Aligned views: cp.async of 16 bytes, past the first-level cache; one group per tile.
  template <class Tile, class View, int Waves, bool Aligned = View::k_aligned>
  struct Staging : Passes<Tile, Waves> {
    using Base = Passes<Tile, Waves>;

    struct Pending {
      static constexpr int k_memory_instructions = 1; // groups, which is what cp.async.wait_group counts
    };

    static HK_DEVICE Pending prefetch(const View& view, Tile& slot) {
      // Opaque, or the compiler keeps all that depends on it in registers, of which it has none left.
      const int thread = Execution::opaque(Execution::thread_of<Waves>()) % Base::k_threads;
      const Coordinate first = Base::chunk_of(thread, 0);
      const uint32 row_stride = static_cast<uint32>(view.row_stride);
      const int32 rows_from_first = view.rows - first.row;
      const uint32 destination = SharedMemory::address(slot.bytes) + Base::Layout::offset(first.row, first.column);
      uint64 source = reinterpret_cast<uint64>(view.first) + first.row * row_stride + first.column * 16;
      HK_UNROLL
      for (int pass = 0; pass < Base::k_passes; ++pass) {
        // One address that moves on; opaque for the same reason.
        load_chunk(destination + Base::distance(thread, pass), source, pass * Base::k_rows_per_pass < rows_from_first);
        source += Base::k_rows_per_pass * row_stride;
        asm volatile("" : "+l"(source));
      }
      asm volatile("cp.async.commit_group;" ::: "memory");
      return {};
    }
    static HK_DEVICE void deposit(const Pending& /*pending*/, const Tile& /*slot*/) {}

   private:
    /// Zeros where `exists` is false: no byte of the source is read then.
    static HK_DEVICE void load_chunk(uint32 destination, uint64 source, bool exists) {
      const uint32 bytes = exists ? 16 : 0;
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(destination), "l"(source), "r"(bytes)
                   : "memory");
    }
  };

  /// Element-aligned views: everything happens in deposit, one pass at a time, so that few registers are needed.
  template <class Tile, class View, int Waves>
  struct Staging<Tile, View, Waves, false> : Passes<Tile, Waves> {
    using Base = Passes<Tile, Waves>;

    struct Pending {
      static constexpr int k_memory_instructions = 0;
      View view;
    };

    static HK_DEVICE Pending prefetch(const View& view, const Tile& /*slot*/) { return {view}; }
    static HK_DEVICE void deposit(const Pending& pending, Tile& slot) {
      _Pragma("unroll 1") for (int pass = 0; pass < Base::k_passes; ++pass) {
        const Coordinate chunk = Base::chunk_of(Execution::thread_of<Waves>(), pass);
        SharedMemory::store_chunk(slot.bytes + Base::Layout::offset(chunk.row, chunk.column),
                                  GlobalMemory::load_chunk(pending.view, {chunk.row, chunk.column * 8}));
      }
    }
  };
};

} // namespace hk::sm80
