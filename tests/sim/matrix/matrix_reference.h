#pragma once
// The definition of a matrix instruction, element by element, with the register places of the ISA guide's section
// "General input and output layout" written out. Independent of the simulator's own layout code.

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "sim/harness.h"

namespace hk::sim::testing {

struct Shape {
  int rows, columns, depth, blocks;
};

struct Place {
  int item, lane;
};

// A[b,i,k]; B[b,k,j] is the same with j for i.
inline Place operand_place(const Shape& shape, int block, int i, int k) {
  const int per_lane = shape.depth * shape.rows * shape.blocks / 64;
  return {k % per_lane, i + shape.rows * (block + shape.blocks * (k / per_lane))};
}

// 8-bit operands of the f8f6f4 forms: k = 0..15 lie in the first four registers of the first lanes, k = depth / 2 .. in
// the last four of the same lanes.
inline Place wide_byte_place(const Shape& shape, int i, int k) {
  const int half = shape.depth / 2;
  return {k % half % 16 + 16 * (k / half), i + shape.rows * (k % half / 16)};
}

// D[b,i,j] of 32-bit results.
inline Place result_place(const Shape& shape, int block, int i, int j) {
  if (shape.rows == 32) // registers of a block: 16
    return {16 * block + 4 * (i / 8) + i % 4, j + 32 * (i / 4 % 2)};
  if (shape.rows == 16) // registers of a block: 4
    return {4 * block + i % 4, j + 16 * (i / 4)};
  return {i, j + 4 * block}; // 4x4, 16 blocks
}

inline std::string registers(char letter, int first, int count) {
  if (count == 1)
    return letter + std::to_string(first);
  return std::string(1, letter) + "[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

// Puts `bits` of `width` into item `item` of the lane, items packed from the low bits of `first` upwards.
inline void put_item(Wave& wave, int first, int width, Place place, std::uint64_t bits) {
  for (int bit = 0; bit < width; ++bit) {
    const int position = place.item * width + bit;
    std::uint32_t& word = wave.vector[first + position / 32][place.lane];
    const std::uint32_t mask = 1u << (position % 32);
    word = (bits >> bit & 1) ? word | mask : word & ~mask;
  }
}

inline float result_at(const Wave& wave, int first, const Shape& shape, int block, int i, int j) {
  const Place place = result_place(shape, block, i, j);
  float value;
  std::memcpy(&value, &wave.vector[first + place.item][place.lane], sizeof value);
  return value;
}

inline void put_result(Wave& wave, int first, const Shape& shape, int block, int i, int j, float value) {
  const Place place = result_place(shape, block, i, j);
  std::memcpy(&wave.vector[first + place.item][place.lane], &value, sizeof value);
}

// Whether `value` is the sum of `c` and the products within the rounding of `depth` binary32 additions.
inline bool close(float value, double exact, double magnitude, int depth) {
  const double bound = magnitude * (depth + 1) * 0x1p-24;
  return std::abs(double(value) - exact) <= bound;
}

} // namespace hk::sim::testing
