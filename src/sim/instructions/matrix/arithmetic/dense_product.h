#pragma once
// D = C + A * B for one matrix instruction of any dense format.

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "sim/instructions/matrix/arithmetic/multiply_accumulate.h"
#include "sim/instructions/matrix/arithmetic/number_formats.h"
#include "sim/instructions/matrix/arithmetic/operand_tiles.h"
#include "sim/instructions/matrix/arithmetic/register_product.h"

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

// Where unpack_bf16 puts the lanes of an operand of consecutive items.
template <MatrixShape Shape>
constexpr auto make_operand_offsets() {
  std::array<int, std::size_t(k_wave_size / Shape.rows)> offsets{};
  for (int run = 0; run < k_wave_size / Shape.rows; ++run) {
    const int group = run / Shape.blocks;
    const int block = run % Shape.blocks;
    offsets[std::size_t(run)] = (block * Shape.depth + group * Shape.items_per_lane()) * Shape.rows;
  }
  return offsets;
}
template <MatrixShape Shape>
inline constexpr auto k_operand_offsets = make_operand_offsets<Shape>();

// Results that multiply_in_registers can compute.
template <MatrixShape Shape, typename T>
constexpr bool k_has_vector_rows = std::is_same_v<T, float> && Shape.columns >= 16;

template <MatrixShape Shape, typename T>
void unpack(const DenseFormat<T>& format, const RegisterLine* words, int registers, DecodeItem<T> decode, T* tile) {
  if constexpr (k_has_vector_rows<Shape, T>) {
    if (decode == decode_bf16 && format.order == DepthOrder::consecutive && has_register_product())
      return unpack_bf16(words, registers, Shape.rows, k_operand_offsets<Shape>.data(), tile);
  }
  unpack_operand<T>(Shape, format.order, words, decode, tile);
}

// D = C + A B of unpacked operands. C and D may be the same registers, or overlap by at most four.
template <MatrixShape Shape, typename T>
void accumulate(Wave& wave, const Instruction& instruction, const T* a, const T* b) {
  const Operand& c = instruction.operands[3];
  const Operand& d = instruction.operands[0];
  if constexpr (k_has_vector_rows<Shape, T>) {
    if (has_register_product()) {
      const bool in_registers = c.kind == OperandKind::vector_register;
      const std::span<const ResultRows> rows(k_result_rows<Shape>);
      const std::uint32_t* const start = in_registers ? wave.vector[c.index] : nullptr;
      return multiply_in_registers({Shape.rows, Shape.columns, Shape.depth, a, b, start,
                                    in_registers ? 0.0F : float_from_bits(constant_bits32(c)), wave.vector[d.index],
                                    rows});
    }
  }
  alignas(64) T result[Shape.rows * Shape.columns * Shape.blocks];
  load_accumulator(wave, c, Shape, result);
  for (int block = 0; block < Shape.blocks; ++block)
    multiply_accumulate(a + block * Shape.depth * Shape.rows, b + block * Shape.depth * Shape.columns,
                        result + block * Shape.rows * Shape.columns, Shape.rows, Shape.columns, Shape.depth);
  store_accumulator(wave, d, Shape, result);
}

// Executes `D, A, B, C` with the broadcast modifiers cbsz, abid and blgp.
template <MatrixShape Shape, typename T>
void execute_dense_product(Wave& wave, const Instruction& instruction, const DenseFormat<T>& format) {
  if (!operands_allowed(wave, instruction))
    return;
  const Modifiers& modifiers = instruction.modifiers;
  const Operand& a = instruction.operands[1];
  const Operand& b = instruction.operands[2];
  RegisterLine permuted[k_most_operand_registers];
  alignas(64) T a_tile[Shape.rows * Shape.depth * Shape.blocks];
  alignas(64) T b_tile[Shape.columns * Shape.depth * Shape.blocks];

  const RegisterLine* words = &wave.vector[a.index];
  if (modifiers.cbsz != 0)
    words = copy_permuted(words, a.registers, permuted,
                          [&](int lane) { return lane_for_a(lane, modifiers.cbsz, modifiers.abid); });
  unpack<Shape>(format, words, a.registers, format.decode_a, a_tile);
  words = &wave.vector[b.index];
  if (modifiers.blgp != 0)
    words = copy_permuted(words, b.registers, permuted, [&](int lane) { return lane_for_b(lane, modifiers.blgp); });
  unpack<Shape>(format, words, b.registers, format.decode_b, b_tile);
  accumulate<Shape>(wave, instruction, a_tile, b_tile);
}

} // namespace hk::sim
