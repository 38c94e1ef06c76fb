#pragma once
// Tiles in the registers of one wave: the accumulator of an mma, and an operand.
// Both are arrays of the target's blocks; elements are seen only through coordinate(lane, element).

#include <hk/target.h>
#include <hk/tile/coordinate.h>

namespace hk {

/// fp32 Rows x Columns, the C and D of mma. Each lane holds k_elements of it.
template <int Rows, int Columns>
struct Accumulator {
  using Block = Target::AccumulatorLayout;
  static_assert(Rows % Block::k_rows == 0 && Columns % Block::k_columns == 0, "whole blocks only");
  static constexpr int k_rows = Rows;
  static constexpr int k_columns = Columns;
  static constexpr int k_row_blocks = Rows / Block::k_rows;
  static constexpr int k_column_blocks = Columns / Block::k_columns;
  static constexpr int k_elements = k_row_blocks * k_column_blocks * Block::k_elements;

  /// Distinct rows and columns of which one lane holds elements. row_slot and column_slot number them; row_of_slot and
  /// column_of_slot give their element part, that is, where lane 0 has them.
  static constexpr int k_rows_per_lane = k_row_blocks * Block::k_rows_per_lane;
  static constexpr int k_columns_per_lane = k_column_blocks * Block::k_columns_per_lane;

  Target::AccumulatorBlock blocks[k_row_blocks * k_column_blocks];

  /// Where element `element` of lane `lane` lies. The sum of a part that depends on the lane alone and a part that
  /// depends on the element alone, so coordinate(0, element) is a constant in an unrolled loop.
  static constexpr Coordinate coordinate(int lane, int element) {
    const Coordinate origin = {row_block(element) * Block::k_rows, column_block(element) * Block::k_columns};
    return origin + Block::coordinate(lane, element % Block::k_elements);
  }
  static constexpr int row_slot(int element) {
    return row_block(element) * Block::k_rows_per_lane + Block::row_slot(element % Block::k_elements);
  }
  static constexpr int row_of_slot(int slot) {
    return slot / Block::k_rows_per_lane * Block::k_rows + Block::row_of_slot(slot % Block::k_rows_per_lane);
  }
  static constexpr int column_slot(int element) {
    return column_block(element) * Block::k_columns_per_lane + Block::column_slot(element % Block::k_elements);
  }
  static constexpr int column_of_slot(int slot) {
    return slot / Block::k_columns_per_lane * Block::k_columns +
           Block::column_of_slot(slot % Block::k_columns_per_lane);
  }

  HK_DEVICE float get(int element) const { return blocks[element / Block::k_elements][element % Block::k_elements]; }
  HK_DEVICE void set(int element, float value) {
    blocks[element / Block::k_elements][element % Block::k_elements] = value;
  }
  HK_DEVICE void clear() {
    const Target::AccumulatorBlock zeros = Target::zero_block();
    HK_UNROLL
    for (int block = 0; block < k_row_blocks * k_column_blocks; ++block)
      blocks[block] = zeros;
  }

 private:
  static constexpr int row_block(int element) { return element / Block::k_elements / k_column_blocks; }
  static constexpr int column_block(int element) { return element / Block::k_elements % k_column_blocks; }
};

/// Major x Depth elements, the A or (transposed) B of mma: `Major` rows of A or columns of B.
template <class ElementType, int Major, int Depth, DepthOrder Order>
struct RegisterOperand {
  using Element = ElementType;
  using Block = Target::OperandLayout;
  static_assert(Major % Block::k_major == 0 && Depth % Block::k_depth == 0, "whole fragments only");
  static constexpr int k_major = Major;
  static constexpr int k_depth = Depth;
  static constexpr DepthOrder k_depth_order = Order;
  static constexpr int k_major_blocks = Major / Block::k_major;
  static constexpr int k_depth_blocks = Depth / Block::k_depth;

  Target::Fragment<Element> fragments[k_major_blocks * k_depth_blocks];

  HK_DEVICE Target::Fragment<Element>& fragment(int major_block, int depth_block) {
    return fragments[major_block * k_depth_blocks + depth_block];
  }
  HK_DEVICE const Target::Fragment<Element>& fragment(int major_block, int depth_block) const {
    return fragments[major_block * k_depth_blocks + depth_block];
  }
};

} // namespace hk
