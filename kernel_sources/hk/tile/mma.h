#pragma once
// Matrix products of tiles.

#include <hk/target.h>
#include <hk/tile/register_tile.h>
#include <hk/tile/shared_tile.h>

namespace hk {

/// An operand in registers; the other residency is a SharedTile.
template <class Operand>
concept RegisterResident = requires { Operand::k_depth_order; };

/// The order in which both operands of one mma deal their depth: that of the one in registers. A shared tile is read in
/// whichever order its partner needs; two of them in that of memory.
template <class A, class B>
constexpr DepthOrder mma_depth_order() {
  if constexpr (RegisterResident<A> && RegisterResident<B>)
    static_assert(A::k_depth_order == B::k_depth_order, "the operands sum over the same order of depth");
  if constexpr (RegisterResident<A>)
    return A::k_depth_order;
  else if constexpr (RegisterResident<B>)
    return B::k_depth_order;
  else
    return DepthOrder::memory;
}

template <DepthOrder Order, OperandSide Side, class Operand>
HK_DEVICE Target::Fragment<typename Operand::Element> operand_fragment(const Operand& operand, int major_block,
                                                                       int depth_block) {
  if constexpr (RegisterResident<Operand>)
    return operand.fragment(major_block, depth_block);
  else
    return Target::load_fragment<Order, Side>(operand, major_block, depth_block);
}

/// sum[i][j] += over k of a[i][k] * b[j][k], where i and j are the major indices of the operands; products of 16-bit
/// elements are accumulated in fp32. Asynchronous: `sum` may be used, and a shared operand overwritten, only after
/// mma_wait. The type of an operand says where it resides.
template <int Rows, int Columns, class A, class B>
HK_DEVICE void mma(Accumulator<Rows, Columns>& sum, const A& a, const B& b) {
  static_assert(A::k_major == Rows && B::k_major == Columns && A::k_depth == B::k_depth, "shapes of mma must agree");
  constexpr DepthOrder order = mma_depth_order<A, B>();
  constexpr int row_blocks = Accumulator<Rows, Columns>::k_row_blocks;
  constexpr int column_blocks = Accumulator<Rows, Columns>::k_column_blocks;
  HK_UNROLL
  for (int depth = 0; depth < A::k_depth / Target::OperandLayout::k_depth; ++depth) {
    Target::Fragment<typename B::Element> b_fragments[column_blocks];
    HK_UNROLL
    for (int column = 0; column < column_blocks; ++column)
      b_fragments[column] = operand_fragment<order, OperandSide::b>(b, column, depth);
    HK_UNROLL
    for (int row = 0; row < row_blocks; ++row) {
      const auto a_fragment = operand_fragment<order, OperandSide::a>(a, row, depth);
      HK_UNROLL
      for (int column = 0; column < column_blocks; ++column) {
        auto& block = sum.blocks[row * column_blocks + column];
        block = Target::multiply(a_fragment, b_fragments[column], block);
      }
    }
  }
  constexpr int depths = A::k_depth / Target::OperandLayout::k_depth;
  if constexpr (!RegisterResident<A>)
    Target::pipeline_reads<A::k_depth_axis, depths * row_blocks, column_blocks>();
  else if constexpr (!RegisterResident<B>)
    Target::pipeline_reads<B::k_depth_axis, depths * column_blocks, row_blocks>();
}

/// Returns when at most `AtMost` of the products issued last are unfinished.
template <int AtMost>
HK_DEVICE void mma_wait() {
  Target::mma_wait<AtMost>();
}

/// The elements of an accumulator, rounded to nearest even, as an operand whose depth is the axis that carried the
/// keys. Nothing moves between lanes: that is what DepthOrder::accumulator means.
template <class Element, int Rows, int Columns>
HK_DEVICE auto round_to_operand(const Accumulator<Rows, Columns>& sum) {
  using Sum = Accumulator<Rows, Columns>;
  constexpr bool rows_are_depth = Target::k_score_orientation == ScoreOrientation::keys_by_queries;
  constexpr int parts = (rows_are_depth ? Sum::Block::k_rows : Sum::Block::k_columns) / Target::OperandLayout::k_depth;
  RegisterOperand<Element, rows_are_depth ? Columns : Rows, rows_are_depth ? Rows : Columns, DepthOrder::accumulator>
      operand;
  HK_UNROLL
  for (int row = 0; row < Sum::k_row_blocks; ++row) {
    HK_UNROLL
    for (int column = 0; column < Sum::k_column_blocks; ++column) {
      HK_UNROLL
      for (int part = 0; part < parts; ++part) {
        const auto fragment = Target::round_block<Element>(sum.blocks[row * Sum::k_column_blocks + column], part);
        if constexpr (rows_are_depth)
          operand.fragment(column, row * parts + part) = fragment;
        else
          operand.fragment(row, column * parts + part) = fragment;
      }
    }
  }
  return operand;
}

} // namespace hk
