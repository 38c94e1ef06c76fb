#pragma once
// What a target must supply. Each hk/arch/<target>/target.h defines hk::Target and asserts TargetContract<hk::Target>.
//
// A target also supplies, in its language.h, the macros HK_DEVICE (a function of the kernel), HK_INLINE (the same for a
// lambda), HK_UNROLL, HK_LAUNCH_BOUNDS(Config) and
// HK_SHARED(Type, name, offset): a variable, or a reference to one, that the waves of a workgroup share. Targets that
// lay out shared memory themselves take its byte offset (a multiple of 16) from the last argument.
// HK_TELL_SHARED_BYTES(symbol, count): a declaration beside the kernel `symbol`, by which such a target tells the host
// how many bytes a workgroup needs.

#include <hk/tile/coordinate.h>
#include <hk/tile/element.h>
#include <hk/tile/global_view.h>
#include <hk/tile/shared_tile.h>

namespace hk {

/// Every element of an accumulator block lies in exactly one place, and its coordinate is a lane part plus an element
/// part.
template <class T>
constexpr bool accumulator_is_partition() {
  using Block = typename T::AccumulatorLayout;
  bool seen[Block::k_rows * Block::k_columns] = {};
  for (int lane = 0; lane < T::k_lanes; ++lane) {
    for (int element = 0; element < Block::k_elements; ++element) {
      const Coordinate at = Block::coordinate(lane, element);
      if (at != Block::coordinate(lane, 0) + Block::coordinate(0, element))
        return false;
      bool& mark = seen[at.row * Block::k_columns + at.column];
      if (mark)
        return false;
      mark = true;
    }
  }
  return T::k_lanes * Block::k_elements == Block::k_rows * Block::k_columns;
}

/// Slots number the rows and columns of which a lane holds elements.
template <class T>
constexpr bool slots_name_rows_and_columns() {
  using Block = typename T::AccumulatorLayout;
  for (int element = 0; element < Block::k_elements; ++element) {
    const int row_slot = Block::row_slot(element), column_slot = Block::column_slot(element);
    if (row_slot < 0 || row_slot >= Block::k_rows_per_lane || column_slot < 0 ||
        column_slot >= Block::k_columns_per_lane)
      return false;
    if (Block::coordinate(0, element) != Coordinate{Block::row_of_slot(row_slot), Block::column_of_slot(column_slot)})
      return false;
  }
  return true;
}

/// Each group of k_run elements is contiguous along the features of one query.
template <class T>
constexpr bool accumulator_runs_are_contiguous() {
  using Block = typename T::AccumulatorLayout;
  const bool columns_are_queries = T::k_score_orientation == ScoreOrientation::keys_by_queries;
  for (int element = 0; element < Block::k_elements; ++element) {
    const int within = element % Block::k_run;
    const Coordinate step = columns_are_queries ? Coordinate{within, 0} : Coordinate{0, within};
    if (Block::coordinate(0, element) != Block::coordinate(0, element - within) + step)
      return false;
  }
  return Block::k_elements % Block::k_run == 0;
}

/// An operand fragment in memory order is, for each lane, pieces of k_piece contiguous elements of a row, and its
/// coordinates are a lane part plus an element part.
template <class T>
constexpr bool fragments_are_row_pieces() {
  using Block = typename T::OperandLayout;
  for (int lane = 0; lane < T::k_lanes; ++lane) {
    for (int element = 0; element < Block::k_elements; ++element) {
      const int within = element % Block::k_piece;
      const Coordinate piece = Block::coordinate(DepthOrder::memory, lane, element - within);
      if (Block::coordinate(DepthOrder::memory, lane, element) != piece + Coordinate{0, within} ||
          piece != Block::coordinate(DepthOrder::memory, lane, 0) +
                       Block::coordinate(DepthOrder::memory, 0, element - within))
        return false;
    }
  }
  return Block::k_elements % Block::k_piece == 0 && T::k_lanes * Block::k_elements == Block::k_major * Block::k_depth;
}

/// The major indices of which a lane holds elements of a fragment are the slots of the accumulator's queries.
template <class T>
constexpr bool majors_are_query_slots() {
  using Sum = typename T::AccumulatorLayout;
  return T::OperandLayout::k_majors_per_lane ==
         (T::k_score_orientation == ScoreOrientation::keys_by_queries ? Sum::k_columns_per_lane : Sum::k_rows_per_lane);
}

/// Part p of an accumulator block, element by element, is operand fragment p in accumulator order: what lets the scores
/// of the first product feed the second without moving between lanes.
template <class T>
constexpr bool accumulator_is_operand() {
  using Sum = typename T::AccumulatorLayout;
  using Operand = typename T::OperandLayout;
  const bool rows_are_depth = T::k_score_orientation == ScoreOrientation::keys_by_queries;
  for (int lane = 0; lane < T::k_lanes; ++lane) {
    for (int element = 0; element < Sum::k_elements; ++element) {
      const int part = element / Operand::k_elements;
      const Coordinate from = Sum::coordinate(lane, element);
      const Coordinate to = Operand::coordinate(DepthOrder::accumulator, lane, element % Operand::k_elements);
      const int major = rows_are_depth ? from.column : from.row;
      const int depth = (rows_are_depth ? from.row : from.column) - part * Operand::k_depth;
      if (to != Coordinate{major, depth})
        return false;
    }
  }
  return true;
}

template <class T>
concept LayoutContract =
    accumulator_is_partition<T>() && slots_name_rows_and_columns<T>() && accumulator_runs_are_contiguous<T>() &&
    fragments_are_row_pieces<T>() && majors_are_query_slots<T>() && accumulator_is_operand<T>();

/// Lanes, waves, workgroups.
template <class T>
concept ExecutionContract = requires {
  requires T::k_lanes > 0;
  { CacheSharing(T::k_cache_sharing) } -> SameAs<CacheSharing>;
  { T::lane() } -> SameAs<int>;                 // in [0, k_lanes)
  { T::wave() } -> SameAs<int>;                 // uniform over the wave
  { T::workgroup() } -> SameAs<int32>;          // uniform over the workgroup
  { T::opaque(1) } -> SameAs<int32>;            // the same value, hidden from the compiler
  { T::any_lane(true) } -> SameAs<bool>;        // uniform: true if the condition holds in some lane of the wave
  { T::waves_in_workgroup(4) } -> SameAs<int>;  // waves that run when a Config asks for 4
  { T::shared_slots(32768, 4) } -> SameAs<int>; // 1 or 2 slots of so many bytes for a workgroup of so many waves
  // Whether a wave keeps an operand of 32 x 128 in registers all through the kernel; else it lies in shared memory.
  { T::holds_in_registers(32, 128) } -> SameAs<bool>;
  T::synchronize_waves();              // barrier; completes this wave's accesses to shared memory before it
  T::template wait_until_at_most<0>(); // waits for prefetches, see hk/tile/staging.h
};

/// Scalar functions. exp2(-inf) is 0, reciprocal(0) is infinite, log2(0) is -inf; all keep NaN but maximum, which takes
/// the other number.
template <class T>
concept ArithmeticContract = requires(float x) {
  requires - T::k_infinity < T::k_infinity;
  { T::multiply_add(x, x, x) } -> SameAs<float>; // x * x + x, rounded once
  { T::maximum(x, x) } -> SameAs<float>;
  { T::exp2(x) } -> SameAs<float>;
  { T::log2(x) } -> SameAs<float>;
  { T::reciprocal(x) } -> SameAs<float>;
};

/// Products of blocks and what is done with them in registers.
template <class T, class Element>
concept MatrixContract = requires(typename T::AccumulatorBlock sum, typename T::template Fragment<Element> fragment,
                                  float x, float (&sums)[T::OperandLayout::k_majors_per_lane]) {
  { T::zero_block() } -> SameAs<typename T::AccumulatorBlock>;
  { T::multiply(fragment, fragment, sum) } -> SameAs<typename T::AccumulatorBlock>; // sum + a b^T
  { T::template round_block<Element>(sum, 0) } -> SameAs<typename T::template Fragment<Element>>;
  T::add_elements(sums, fragment);             // += the elements of each row; lanes hold partial sums
  { T::maximum_of_query(x) } -> SameAs<float>; // over the lanes that hold the same query
  { T::sum_of_query(x) } -> SameAs<float>;     // likewise
  T::template mma_wait<0>();
  T::template pipeline_reads<DepthAxis::rows, 4, 2>(); // advice to the compiler, see hk/tile/mma.h
};

/// Movement between the memories, for one shape of tile.
template <class T, class Element>
concept MemoryContract =
    requires(const GlobalView<const Element, 128, true> input, const GlobalView<Element, 128, true> output,
             SharedTile<Element, 64, 128, DepthAxis::columns> slot, Coordinate at,
             const float (&run)[T::AccumulatorLayout::k_run]) {
      {
        T::template load_fragment<DepthOrder::memory, OperandSide::a>(slot, 0, 0)
      } -> SameAs<typename T::template Fragment<Element>>;
      T::template Staging<decltype(slot), GlobalView<const Element, 128, true>, 4>::deposit(
          T::template Staging<decltype(slot), GlobalView<const Element, 128, true>, 4>::prefetch(input, slot), slot);
      {
        typename T::template RowReader<GlobalView<const Element, 128, true>, 32>(input).load_fragment(at)
      } -> SameAs<typename T::template Fragment<Element>>;
      { typename T::template RowWriter<GlobalView<Element, 128, true>, 32>(output).store_run(at, run) };
    };

template <class T>
concept TargetContract =
    LayoutContract<T> && ExecutionContract<T> && ArithmeticContract<T> && MatrixContract<T, bfloat16> &&
    MatrixContract<T, float16> && MemoryContract<T, bfloat16> && MemoryContract<T, float16>;

} // namespace hk
