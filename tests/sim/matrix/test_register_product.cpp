// Products whose accumulator stays in the registers give the bits of the plain loops.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "sim/instructions/matrix/arithmetic/dense_product.h"

using namespace hk::sim;

namespace {

using Registers = std::uint32_t[64][k_wave_size];

// bf16 and f32 bits of all kinds: moderate numbers, subnormals, infinities, NaNs.
std::uint32_t random_word(std::mt19937& random) {
  return random() % 8 == 0 ? std::uint32_t(random()) : 0x3f003f00U + (random() & 0x80ff80ffU);
}

// D = C + A B by the definitions in shape.h, one fused multiply-add per product, k ascending.
template <MatrixShape Shape>
std::vector<std::uint32_t> expected_bits(const Registers& a, const Registers& b, const Registers& c) {
  const int items = Shape.items_per_lane();
  const auto element = [&](const Registers& words, int block, int i, int k, int extent) {
    const int lane = i + extent * (block + Shape.blocks * (k / items));
    const std::uint32_t word = words[k % items / 2][lane];
    return float_from_bits(k % 2 == 0 ? word << 16 : word & 0xffff0000U);
  };
  std::vector<std::uint32_t> bits(std::size_t(Shape.result_items() * k_wave_size));
  for_each_result_row(Shape, 4, [&](int item, int first_lane, int block, int row) {
    for (int column = 0; column < Shape.columns; ++column) {
      float sum = float_from_bits(c[item][first_lane + column]);
      for (int k = 0; k < Shape.depth; ++k)
        sum = std::fma(element(a, block, row, k, Shape.rows), element(b, block, column, k, Shape.columns), sum);
      std::uint32_t& result = bits[std::size_t(item * k_wave_size + first_lane + column)];
      std::memcpy(&result, &sum, sizeof result);
      if (std::isnan(sum))
        result = 0x7fc00000U;
    }
  });
  return bits;
}

template <MatrixShape Shape>
void check_shape() {
  CAPTURE(Shape.rows);
  CAPTURE(Shape.depth);
  const auto registers = std::make_unique<Registers[]>(3);
  Registers& a = registers[0];
  Registers& b = registers[1];
  Registers& c = registers[2];
  std::mt19937 random(11);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 3; ++i)
      for (auto& line : registers[std::size_t(i)])
        for (std::uint32_t& word : line)
          word = random_word(random);
    const std::vector<std::uint32_t> expected = expected_bits<Shape>(a, b, c);
    alignas(64) float a_tile[Shape.rows * Shape.depth * Shape.blocks];
    alignas(64) float b_tile[Shape.columns * Shape.depth * Shape.blocks];
    const int words = Shape.items_per_lane() / 2;
    unpack_bf16(a, words, Shape.rows, k_operand_offsets<Shape>.data(), a_tile);
    unpack_bf16(b, words, Shape.columns, k_operand_offsets<Shape>.data(), b_tile);
    multiply_in_registers({Shape.rows, Shape.columns, Shape.depth, a_tile, b_tile, c[0], 0.0F, c[0],
                           std::span<const ResultRows>(k_result_rows<Shape>)});
    CHECK(std::memcmp(c, expected.data(), expected.size() * sizeof(std::uint32_t)) == 0);
  }
}

} // namespace

TEST_CASE("accumulators in registers: the bits of the definition, special values included") {
  if (!has_register_product()) {
    MESSAGE("this host has no vectors with a fused multiply-add");
    return;
  }
  check_shape<MatrixShape{32, 32, 8, 1}>();
  check_shape<MatrixShape{16, 16, 16, 1}>();
  check_shape<MatrixShape{32, 32, 16, 1}>();
  check_shape<MatrixShape{16, 16, 32, 1}>();
  check_shape<MatrixShape{32, 32, 4, 2}>();
  check_shape<MatrixShape{16, 16, 4, 4}>();
}
