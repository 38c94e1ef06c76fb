#pragma once
// Which lane holds what of a 32x32 product. Source: AMD Instinct MI300 (CDNA3) ISA, chapter 7, and AMD's matrix
// instruction calculator, for v_mfma_f32_32x32x8_{bf16_1k,f16}.

#include <hk/tile/coordinate.h>

namespace hk::gfx942 {

/// C and D: 16 registers. Lane l holds column l % 32; its rows come in groups of four, and the two halves of the wave
/// take turns in them.
struct AccumulatorLayout {
  static constexpr int k_rows = 32;
  static constexpr int k_columns = 32;
  static constexpr int k_elements = 16;
  static constexpr int k_rows_per_lane = 16;
  static constexpr int k_columns_per_lane = 1;
  static constexpr int k_run = 4;

  static constexpr Coordinate coordinate(int lane, int element) {
    return {8 * (element / 4) + 4 * (lane / 32) + element % 4, lane % 32};
  }
  static constexpr int row_slot(int element) { return element; }
  static constexpr int row_of_slot(int slot) { return coordinate(0, slot).row; }
  static constexpr int column_slot(int /*element*/) { return 0; }
  static constexpr int column_of_slot(int /*slot*/) { return 0; }
};

/// A (row l % 32 in lane l) and B (column l % 32): 8 elements per lane, 16 of depth over the two halves of the wave.
/// One instruction takes 4 elements per lane, so a fragment is two instructions; which depth an element has is free as
/// long as A and B agree.
struct OperandLayout {
  static constexpr int k_major = 32;
  static constexpr int k_depth = 16;
  static constexpr int k_elements = 8;
  static constexpr int k_piece = 8;
  static constexpr int k_majors_per_lane = 1;

  static constexpr Coordinate coordinate(DepthOrder order, int lane, int element) {
    const int half = lane / 32;
    const int depth = order == DepthOrder::memory ? 8 * half + element : 8 * (element / 4) + 4 * half + element % 4;
    return {lane % 32, depth};
  }
};

} // namespace hk::gfx942
