#pragma once
// The two phases of a load into shared memory: global memory to registers, registers to LDS.

#include <hk/arch/gfx942/global_memory.h>
#include <hk/arch/gfx942/shared_memory.h>

namespace hk::gfx942 {

struct StagedLoads {
  /// Rows that stay rows: each lane moves chunks of 16 bytes.
  template <class Tile, int Waves>
  struct RowStaging {
    using Layout = SharedLayout<Tile::k_rows, Tile::k_columns, Tile::k_depth_axis>;
    static constexpr int k_threads = Waves * Execution::k_lanes;
    static constexpr int k_passes = Layout::k_chunks / k_threads;
    static constexpr int k_rows_per_pass = k_threads / Layout::k_chunks_per_row;
    static_assert(k_passes > 0 && k_rows_per_pass > 0 && Tile::k_rows % k_rows_per_pass == 0,
                  "the workgroup covers the tile in passes of whole rows");
    static constexpr int k_loads_per_pass = 1;
    using Words = Words4;

    template <class Reader>
    static HK_DEVICE void load(const Reader& reader, int thread, int pass, Words (&words)[1]) {
      const Coordinate at = {thread / Layout::k_chunks_per_row, thread % Layout::k_chunks_per_row * 8};
      words[0] = reader.template load<Words>(at, pass * k_rows_per_pass);
    }
    static HK_DEVICE void store(Tile& slot, int thread, int pass, const Words (&words)[1]) {
      const int row = pass * k_rows_per_pass + thread / Layout::k_chunks_per_row;
      SharedMemory::store_words(slot, Layout::offset(row, thread % Layout::k_chunks_per_row), words[0]);
    }
  };

  /// Rows that become columns: each lane transposes blocks of 4x4 elements on the way.
  template <class Tile, int Waves>
  struct TransposingStaging {
    using Layout = SharedLayout<Tile::k_rows, Tile::k_columns, Tile::k_depth_axis>;
    static constexpr int k_threads = Waves * Execution::k_lanes;
    static constexpr int k_passes = Layout::k_blocks / k_threads;
    static_assert(k_passes > 0 && Layout::k_blocks % k_threads == 0, "the workgroup covers the tile in passes");
    static constexpr int k_loads_per_pass = 4;
    using Words = Words2;

    template <class Reader>
    static HK_DEVICE void load(const Reader& reader, int thread, int pass, Words (&rows)[4]) {
      // block_at of a sum of disjoint bits is the sum of both blocks; the part of the pass needs no vector register.
      const Coordinate lane_block = Layout::block_at(thread);
      const Coordinate pass_block = Layout::block_at(pass * k_threads);
      HK_UNROLL
      for (int row = 0; row < 4; ++row)
        rows[row] = reader.template load<Words>(lane_block + Coordinate{0, pass_block.column}, pass_block.row + row);
    }
    static HK_DEVICE void store(Tile& slot, int thread, int pass, const Words (&rows)[4]) {
      constexpr uint32 low_halves = 0x05040100, high_halves = 0x07060302; // selectors of v_perm_b32
      const Coordinate block = Layout::block_at(pass * k_threads + thread);
      HK_UNROLL
      for (int column = 0; column < 4; ++column) {
        const uint32 halves = column % 2 == 0 ? low_halves : high_halves;
        const int word = column / 2;
        const Words transposed = {__builtin_amdgcn_perm(rows[1][word], rows[0][word], halves),
                                  __builtin_amdgcn_perm(rows[3][word], rows[2][word], halves)};
        SharedMemory::store_words(slot, Layout::offset(block.row, block.column + column), transposed);
      }
    }
  };

  template <class Tile, int Waves, DepthAxis Axis = Tile::k_depth_axis>
  struct StagingBody {
    using Type = RowStaging<Tile, Waves>;
  };
  template <class Tile, int Waves>
  struct StagingBody<Tile, Waves, DepthAxis::rows> {
    using Type = TransposingStaging<Tile, Waves>;
  };

  template <class Tile, class View, int Waves, bool Aligned = View::k_aligned>
  struct Staging {
    using Body = typename StagingBody<Tile, Waves>::Type;

    struct Pending {
      static constexpr int k_memory_instructions = 0; // the compiler waits for registers itself
      typename Body::Words words[Body::k_passes][Body::k_loads_per_pass];
    };
    /// With so many registers in flight none are left to keep the addresses of all stores: they are computed each time.
    static constexpr bool k_registers_are_scarce = sizeof(Pending) >= 32 * sizeof(uint32);

    static HK_DEVICE Pending prefetch(const View& view, const Tile& /*slot*/) {
      const GlobalMemory::RowReader<View, Tile::k_rows> reader(view);
      Pending pending;
      HK_UNROLL
      for (int pass = 0; pass < Body::k_passes; ++pass)
        Body::load(reader, Execution::thread_of<Waves>(), pass, pending.words[pass]);
      return pending;
    }
    static HK_DEVICE void deposit(const Pending& pending, Tile& slot) {
      int thread = Execution::thread_of<Waves>();
      if constexpr (k_registers_are_scarce)
        thread = Execution::opaque(thread) % Body::k_threads;
      HK_UNROLL
      for (int pass = 0; pass < Body::k_passes; ++pass)
        Body::store(slot, thread, pass, pending.words[pass]);
    }
  };

  /// Element-aligned views: everything happens in deposit, one pass at a time, so that few registers are needed.
  template <class Tile, class View, int Waves>
  struct Staging<Tile, View, Waves, false> {
    using Body = typename StagingBody<Tile, Waves>::Type;

    struct Pending {
      static constexpr int k_memory_instructions = 0;
      View view;
    };

    static HK_DEVICE Pending prefetch(const View& view, const Tile& /*slot*/) { return {view}; }
    static HK_DEVICE void deposit(const Pending& pending, Tile& slot) {
      const GlobalMemory::RowReader<View, Tile::k_rows> reader(pending.view);
      const int thread = Execution::thread_of<Waves>();
      _Pragma("unroll 1") for (int pass = 0; pass < Body::k_passes; ++pass) {
        typename Body::Words words[Body::k_loads_per_pass];
        Body::load(reader, thread, pass, words);
        Body::store(slot, thread, pass, words);
      }
    }
  };
};

} // namespace hk::gfx942
