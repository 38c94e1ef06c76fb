#pragma once
// Between vector registers and packed arrays: what a matrix instruction reads and writes.

#include <cstdint>

#include "sim/instructions/matrix/arithmetic/shape.h"
#include "sim/machine/wave.h"

namespace hk::sim {

using RegisterLine = std::uint32_t[k_wave_size]; // one register of all lanes

// Decodes one item of all 64 lanes. `words` are the operand's registers.
template <typename T>
using DecodeItem = void (*)(const RegisterLine* words, int item, T* line);

void decode_f32(const RegisterLine* words, int item, float* line);
void decode_f32_flushed(const RegisterLine* words, int item, float* line); // subnormals become zero of their sign
void decode_xf32(const RegisterLine* words, int item, float* line);
void decode_f16(const RegisterLine* words, int item, float* line);
void decode_bf16(const RegisterLine* words, int item, float* line);
void decode_fp8_fnuz(const RegisterLine* words, int item, float* line);
void decode_bf8_fnuz(const RegisterLine* words, int item, float* line);
void decode_fp8_ocp(const RegisterLine* words, int item, float* line);
void decode_bf8_ocp(const RegisterLine* words, int item, float* line);
void decode_fp6(const RegisterLine* words, int item, float* line);
void decode_bf6(const RegisterLine* words, int item, float* line);
void decode_fp4(const RegisterLine* words, int item, float* line);
void decode_i8(const RegisterLine* words, int item, std::int32_t* line);
void decode_f64(const RegisterLine* words, int item, double* line);

// How an operand's lanes are permuted before they are read ("CDNA4 ISA", "Broadcasting values"): null is the identity.
//   A: lane l reads lane l % S + S * abid, S = 64 >> cbsz
//   B, by blgp: 1, 2 broadcast the first or second 32 lanes; 3 rotates 16 lanes left; 4..7 broadcast the n-th 16 lanes
int lane_for_a(int lane, unsigned cbsz, unsigned abid);
int lane_for_b(int lane, unsigned blgp);

// The registers of an operand with permuted lanes. copy_permuted fills `copy` and returns it.
template <typename LaneOf>
const RegisterLine* copy_permuted(const RegisterLine* words, int registers, RegisterLine* copy, LaneOf lane_of) {
  for (int r = 0; r < registers; ++r)
    for (int lane = 0; lane < k_wave_size; ++lane)
      copy[r][lane] = words[r][lane_of(lane)];
  return copy;
}

// How a lane's items lie along k. A lane of the usual layout holds items_per_lane consecutive values; the wide 8-bit
// operands of gfx950 hold two runs, one in each half of the depth.
enum class DepthOrder : std::uint8_t { consecutive, two_halves };

// k of an item of the lanes with index `lane_group` = lane / (rows * blocks).
constexpr int depth_index(const MatrixShape& shape, DepthOrder order, int lane_group, int item) {
  const int items = shape.items_per_lane();
  if (order == DepthOrder::consecutive)
    return lane_group * items + item;
  const int run = items / 2;
  return item / run * (shape.depth / 2) + lane_group * run + item % run;
}

// Unpacks A to [block][k][row]; B is the same with columns for rows.
template <typename T>
void unpack_operand(const MatrixShape& shape, DepthOrder order, const RegisterLine* words, DecodeItem<T> decode,
                    T* tile) {
  const int lanes_per_group = shape.rows * shape.blocks;
  T line[k_wave_size];
  for (int item = 0; item < shape.items_per_lane(); ++item) {
    decode(words, item, line);
    for (int lane = 0; lane < k_wave_size; lane += shape.rows) {
      const int k = depth_index(shape, order, lane / lanes_per_group, item);
      const int block = lane % lanes_per_group / shape.rows;
      T* target = tile + (block * shape.depth + k) * shape.rows;
      for (int i = 0; i < shape.rows; ++i)
        target[i] = line[lane + i];
    }
  }
}

// A constant accumulator's bits.
std::uint32_t constant_bits32(const Operand& operand);

// The accumulator, packed to [block][row][column]: an operand of registers, or a constant in every element.
void load_accumulator(const Wave& wave, const Operand& operand, const MatrixShape& shape, float* tile);
void load_accumulator(const Wave& wave, const Operand& operand, const MatrixShape& shape, std::int32_t* tile);
void load_accumulator(const Wave& wave, const Operand& operand, const MatrixShape& shape, double* tile);
// Writes all lanes, whatever EXEC is. NaNs are stored as the positive quiet NaN.
void store_accumulator(Wave& wave, const Operand& operand, const MatrixShape& shape, const float* tile);
void store_accumulator(Wave& wave, const Operand& operand, const MatrixShape& shape, const std::int32_t* tile);
void store_accumulator(Wave& wave, const Operand& operand, const MatrixShape& shape, const double* tile);

// Raises unsupported_operand and returns false for register use that the hardware forbids: a result of more than four
// registers that overlaps A or B, or overlaps C without being equal to it; A or B that are not registers.
bool operands_allowed(Wave& wave, const Instruction& instruction);

} // namespace hk::sim
