#pragma once
// Where the elements of a matrix instruction's operands lie: "CDNA4 ISA", section "General input and output layout".
//
// An instruction multiplies `blocks` pairs of matrices: D[b,i,j] = C[b,i,j] + sum over k of A[b,i,k] * B[b,k,j].
// A lane holds a sequence of items: 32-bit values one per register, smaller ones packed from the low bits upwards,
// 64-bit ones in register pairs.
//   A[b,i,k]: item k % K_L of lane i + rows * (b + blocks * (k / K_L)), K_L = depth * rows * blocks / 64
//   B[b,k,j]: the same with j and columns
//   D[b,i,j]: item i % H + H * (i / (H * M_I) + G * (b / B_I)) of lane j + columns * (i / H % M_I + M_I * (b % B_I))
//             H = 4 (64-bit results: 1), B_I = ceil(64 * H / (rows * columns)), M_I = 64 / B_I / columns,
//             G = rows / (H * M_I)
// For 32x32 that is row 8 * (item / 4) + 4 * (lane / 32) + item % 4, for 16x16 row 4 * (lane / 16) + item.

#include "sim/machine/instruction.h"

namespace hk::sim {

struct MatrixShape {
  int rows = 0, columns = 0, depth = 0, blocks = 1;

  [[nodiscard]] constexpr int items_per_lane() const { return depth * rows * blocks / k_wave_size; }
  [[nodiscard]] constexpr int result_items() const { return rows * columns * blocks / k_wave_size; }
};

struct ResultLayout {
  int group_height = 4;
  int blocks_per_item = 1;
  int row_groups_per_item = 1;
  int groups = 1;

  constexpr ResultLayout(const MatrixShape& shape, int height) : group_height(height) {
    const int lanes_per_block = shape.rows * shape.columns / height;
    blocks_per_item = (k_wave_size + lanes_per_block - 1) / lanes_per_block;
    row_groups_per_item = k_wave_size / blocks_per_item / shape.columns;
    groups = shape.rows / (height * row_groups_per_item);
  }
};

// Calls visit(item, first_lane, block, row) for every run of `columns` lanes of the result: lane first_lane + j holds
// column j.
template <typename Visit>
constexpr void for_each_result_row(const MatrixShape& shape, int group_height, Visit visit) {
  const ResultLayout layout(shape, group_height);
  for (int item = 0; item < shape.result_items(); ++item) {
    const int group = item / group_height % layout.groups;
    const int first_block = item / group_height / layout.groups * layout.blocks_per_item;
    for (int run = 0; run * shape.columns < k_wave_size; ++run) {
      const int row_group = run % layout.row_groups_per_item + layout.row_groups_per_item * group;
      visit(item, run * shape.columns, first_block + run / layout.row_groups_per_item,
            item % group_height + group_height * row_group);
    }
  }
}

} // namespace hk::sim
