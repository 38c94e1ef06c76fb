#pragma once
// D = C + A * B in binary32 with C read and D written where they lie in the vector registers, vectorised for the host.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/instructions/matrix/arithmetic/shape.h"

namespace hk::sim {

// Where the elements [block][row .. row + 3][0 .. columns - 1] of the result lie: registers item .. item + 3, lanes
// first_lane .. first_lane + columns - 1.
struct ResultRows {
  std::uint8_t item = 0, first_lane = 0, block = 0, row = 0;
};

constexpr int k_result_group_height = 4; // of 32-bit results

template <MatrixShape Shape>
constexpr auto make_result_rows() {
  constexpr int count = Shape.result_items() / k_result_group_height * (k_wave_size / Shape.columns);
  std::array<ResultRows, std::size_t(count)> rows{};
  std::size_t next = 0;
  for_each_result_row(Shape, k_result_group_height, [&](int item, int lane, int block, int row) {
    if (item % k_result_group_height == 0)
      rows[next++] = {std::uint8_t(item), std::uint8_t(lane), std::uint8_t(block), std::uint8_t(row)};
  });
  return rows;
}
template <MatrixShape Shape>
inline constexpr auto k_result_rows = make_result_rows<Shape>();

struct RegisterProduct {
  int rows = 0, columns = 0, depth = 0;
  const float* a = nullptr;         // [block][k][row]
  const float* b = nullptr;         // [block][k][column]
  const std::uint32_t* c = nullptr; // the accumulator's first register; null: `constant` in every element
  float constant = 0;
  std::uint32_t* d = nullptr; // the result's first register
  std::span<const ResultRows> result;
};

// Whether the host has vectors with a fused multiply-add; without them the packed path is the only one.
bool has_register_product();

// The arithmetic of multiply_accumulate, bit for bit; NaNs are stored as the positive quiet NaN. `columns` is 16 or 32.
void multiply_in_registers(const RegisterProduct& product);

// Unpacks bf16 operands: item 2 w is the low half of register w, 2 w + 1 the high one. Lane r * `rows` + i puts its
// item n into tile[offsets[r] + n * rows + i].
void unpack_bf16(const std::uint32_t (*words)[k_wave_size], int registers, int rows, const int* offsets, float* tile);

} // namespace hk::sim
