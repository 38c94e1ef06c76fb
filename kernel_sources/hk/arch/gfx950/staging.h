#pragma once
// The two phases of a load into shared memory: one instruction does both.

#include <hk/arch/gfx950/global_memory.h>
#include <hk/arch/gfx950/shared_memory.h>

namespace hk::gfx950 {

struct StagedLoads {
  template <class Tile, int Waves>
  struct Passes {
    using Layout = SharedLayout<Tile::k_rows, Tile::k_columns, Tile::k_depth_axis>;
    static constexpr int k_threads = Waves * Execution::k_lanes;
    static constexpr int k_passes = Layout::k_chunks / k_threads;
    static constexpr int k_rows_per_pass = k_threads / Layout::k_chunks_per_row;
    static_assert(k_passes > 0 && Layout::k_chunks % k_threads == 0 && k_rows_per_pass > 0,
                  "the workgroup covers the tile in passes of whole rows");

    /// Row, counted from the first of the pass, and first column of the chunk that belongs at this lane's position.
    static HK_DEVICE Coordinate source(int pass) {
      const Coordinate chunk = Layout::chunk_at(pass * k_threads + Execution::thread_of<Waves>());
      return {Execution::thread_of<Waves>() / Layout::k_chunks_per_row, chunk.column * 8};
    }
  };

  /// Aligned views: buffer_load_dwordx4 ... lds. Lane l of the wave writes 16 bytes at the wave's LDS address + 16 l.
  template <class Tile, class View, int Waves, bool Aligned = View::k_aligned>
  struct Staging : Passes<Tile, Waves> {
    using Base = Passes<Tile, Waves>;

    struct Pending {
      static constexpr int k_memory_instructions = Base::k_passes;
    };

    static HK_DEVICE Pending prefetch(const View& view, Tile& slot) {
      const GlobalMemory::RowReader<View, Tile::k_rows> reader(view);
      HK_UNROLL
      for (int pass = 0; pass < Base::k_passes; ++pass) {
        uint8* const destination = slot.bytes + (pass * Waves + Execution::wave()) * (Execution::k_lanes * 16);
        __builtin_amdgcn_raw_ptr_buffer_load_lds(reader.descriptor(), (SharedMemory::SharedPointer<void>)(destination),
                                                 16, reader.lane_offset(Base::source(pass)),
                                                 reader.wave_offset(pass * Base::k_rows_per_pass), 0, 0);
      }
      return {};
    }
    static HK_DEVICE void deposit(const Pending& /*pending*/, const Tile& /*slot*/) {}
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
      const GlobalMemory::RowReader<View, Tile::k_rows> reader(pending.view);
      _Pragma("unroll 1") for (int pass = 0; pass < Base::k_passes; ++pass) {
        const Words4 words = reader.template load<Words4>(Base::source(pass), pass * Base::k_rows_per_pass);
        const int position = pass * Base::k_threads + Execution::thread_of<Waves>();
        *(SharedMemory::SharedPointer<Words4>)(slot.bytes + position * 16) = words;
      }
    }
  };
};

} // namespace hk::gfx950
