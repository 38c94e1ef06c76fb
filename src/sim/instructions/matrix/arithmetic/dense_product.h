#pragma once
// D = C + A * B for one matrix instruction of any dense format.

#include <cstddef>

#include "sim/instructions/matrix/arithmetic/multiply_accumulate.h"
#include "sim/instructions/matrix/arithmetic/operand_tiles.h"

namespace hk::sim {

template <typename T>
struct DenseFormat {
  MatrixShape shape;
  DecodeItem<T> decode_a = nullptr;
  DecodeItem<T> decode_b = nullptr;
  DepthOrder order = DepthOrder::consecutive;
};

// The largest tiles: A or B of 16x16x128 and 32x32x64, the result of 32x32 with two blocks.
constexpr int k_largest_operand_tile = 2048;
constexpr int k_largest_result_tile = 2048;
constexpr int k_most_operand_registers = 8;

// Executes `D, A, B, C` with the broadcast modifiers cbsz, abid and blgp.
template <typename T>
void execute_dense_product(Wave& wave, const Instruction& instruction, const DenseFormat<T>& format) {
  if (!operands_allowed(wave, instruction))
    return;
  const MatrixShape& shape = format.shape;
  const Modifiers& modifiers = instruction.modifiers;
  const Operand& a = instruction.operands[1];
  const Operand& b = instruction.operands[2];
  RegisterLine permuted[k_most_operand_registers];
  alignas(64) T a_tile[k_largest_operand_tile];
  alignas(64) T b_tile[k_largest_operand_tile];
  alignas(64) T result[k_largest_result_tile];

  const RegisterLine* words = &wave.vector[a.index];
  if (modifiers.cbsz != 0)
    words = copy_permuted(words, a.registers, permuted,
                          [&](int lane) { return lane_for_a(lane, modifiers.cbsz, modifiers.abid); });
  unpack_operand<T>(shape, format.order, words, format.decode_a, a_tile);
  words = &wave.vector[b.index];
  if (modifiers.blgp != 0)
    words = copy_permuted(words, b.registers, permuted, [&](int lane) { return lane_for_b(lane, modifiers.blgp); });
  unpack_operand<T>(shape, format.order, words, format.decode_b, b_tile);

  load_accumulator(wave, instruction.operands[3], shape, result);
  for (int block = 0; block < shape.blocks; ++block)
    multiply_accumulate(a_tile + block * shape.depth * shape.rows, b_tile + block * shape.depth * shape.columns,
                        result + block * shape.rows * shape.columns, shape.rows, shape.columns, shape.depth);
  store_accumulator(wave, instruction.operands[0], shape, result);
}

} // namespace hk::sim
