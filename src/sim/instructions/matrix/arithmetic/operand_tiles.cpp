#include "sim/instructions/matrix/arithmetic/operand_tiles.h"

#include <cmath>
#include <cstring>

#include "sim/instructions/matrix/arithmetic/number_formats.h"
#include "sim/instructions/matrix/arithmetic/widen_f16.h"

namespace hk::sim {

namespace {

template <unsigned Bits>
std::uint32_t packed_code(const RegisterLine* words, int item, int lane) {
  const unsigned bit = unsigned(item) * Bits;
  std::uint32_t code = words[bit / 32][lane] >> (bit % 32);
  if (bit % 32 + Bits > 32) // a six-bit value may cross into the next register
    code |= words[bit / 32 + 1][lane] << (32 - bit % 32);
  return code & ((1u << Bits) - 1);
}

template <unsigned Bits, float (*Decode)(std::uint32_t)>
void decode_packed(const RegisterLine* words, int item, float* line) {
  static constexpr auto table = make_decoding_table<std::size_t{1} << Bits, Decode>();
  for (int lane = 0; lane < k_wave_size; ++lane)
    line[lane] = table[packed_code<Bits>(words, item, lane)];
}

std::uint64_t constant_bits64(const Operand& operand) {
  return operand.kind == OperandKind::float_constant ? std::bit_cast<std::uint64_t>(operand.real)
                                                     : std::uint64_t(operand.integer);
}

template <typename T>
void load_words(const Wave& wave, const Operand& operand, const MatrixShape& shape, T* tile) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  if (operand.kind != OperandKind::vector_register) {
    const T value = std::bit_cast<T>(constant_bits32(operand));
    for (int i = 0; i < shape.rows * shape.columns * shape.blocks; ++i)
      tile[i] = value;
    return;
  }
  for_each_result_row(shape, 4, [&](int item, int lane, int block, int row) {
    std::memcpy(tile + (block * shape.rows + row) * shape.columns, &wave.vector[operand.index + item][lane],
                std::size_t(shape.columns) * sizeof(T));
  });
}

template <typename T>
void store_words(Wave& wave, const Operand& operand, const MatrixShape& shape, const T* tile) {
  for_each_result_row(shape, 4, [&](int item, int lane, int block, int row) {
    std::memcpy(&wave.vector[operand.index + item][lane], tile + (block * shape.rows + row) * shape.columns,
                std::size_t(shape.columns) * sizeof(T));
  });
}

bool overlap(const Operand& a, const Operand& b) {
  return a.kind == OperandKind::vector_register && b.kind == OperandKind::vector_register &&
         a.index < b.index + b.registers && b.index < a.index + a.registers;
}

} // namespace

std::uint32_t constant_bits32(const Operand& operand) {
  return operand.kind == OperandKind::float_constant ? std::bit_cast<std::uint32_t>(float(operand.real))
                                                     : std::uint32_t(operand.integer);
}

void decode_f32(const RegisterLine* words, int item, float* line) {
  std::memcpy(line, words[item], sizeof(RegisterLine));
}

void decode_f32_flushed(const RegisterLine* words, int item, float* line) {
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::uint32_t bits = words[item][lane];
    line[lane] = float_from_bits((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
  }
}

// 8 exponent and 10 mantissa bits: the input is rounded to nearest even. NaN and infinity stay what they are.
void decode_xf32(const RegisterLine* words, int item, float* line) {
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::uint32_t bits = words[item][lane];
    const std::uint32_t rounded = (bits + 0x0fffu + ((bits >> 13) & 1)) & ~0x1fffu;
    line[lane] = float_from_bits((bits & 0x7f800000u) == 0x7f800000u ? bits : rounded);
  }
}

void decode_f16(const RegisterLine* words, int item, float* line) {
  widen_f16(words[item / 2], unsigned(item % 2) * 16, line);
}

void decode_bf16(const RegisterLine* words, int item, float* line) {
  const RegisterLine& word = words[item / 2];
  const unsigned shift = unsigned(item % 2) * 16;
  for (int lane = 0; lane < k_wave_size; ++lane)
    line[lane] = float_from_bf16((word[lane] >> shift) & 0xffffu);
}

void decode_fp8_fnuz(const RegisterLine* words, int item, float* line) {
  decode_packed<8, float_from_fp8_fnuz>(words, item, line);
}
void decode_bf8_fnuz(const RegisterLine* words, int item, float* line) {
  decode_packed<8, float_from_bf8_fnuz>(words, item, line);
}
void decode_fp8_ocp(const RegisterLine* words, int item, float* line) {
  decode_packed<8, float_from_fp8_ocp>(words, item, line);
}
void decode_bf8_ocp(const RegisterLine* words, int item, float* line) {
  decode_packed<8, float_from_bf8_ocp>(words, item, line);
}
void decode_fp6(const RegisterLine* words, int item, float* line) {
  decode_packed<6, float_from_fp6>(words, item, line);
}
void decode_bf6(const RegisterLine* words, int item, float* line) {
  decode_packed<6, float_from_bf6>(words, item, line);
}
void decode_fp4(const RegisterLine* words, int item, float* line) {
  decode_packed<4, float_from_fp4>(words, item, line);
}

void decode_i8(const RegisterLine* words, int item, std::int32_t* line) {
  for (int lane = 0; lane < k_wave_size; ++lane)
    line[lane] = std::int32_t(packed_code<8>(words, item, lane) << 24) >> 24; // sign extension
}

void decode_f64(const RegisterLine* words, int item, double* line) {
  const std::uint32_t* low = words[std::size_t(item) * 2];
  const std::uint32_t* high = words[std::size_t(item) * 2 + 1];
  for (int lane = 0; lane < k_wave_size; ++lane)
    line[lane] = std::bit_cast<double>(low[lane] | std::uint64_t(high[lane]) << 32);
}

int lane_for_a(int lane, unsigned cbsz, unsigned abid) {
  const int width = k_wave_size >> cbsz;
  return lane % width + width * int(abid);
}

int lane_for_b(int lane, unsigned blgp) {
  switch (blgp) {
  case 0:
    return lane;
  case 1:
  case 2:
    return lane % 32 + 32 * int(blgp - 1);
  case 3:
    return (lane + 16) % k_wave_size;
  default:
    return lane % 16 + 16 * int(blgp - 4);
  }
}

void load_accumulator(const Wave& wave, const Operand& operand, const MatrixShape& shape, float* tile) {
  load_words(wave, operand, shape, tile);
}

void load_accumulator(const Wave& wave, const Operand& operand, const MatrixShape& shape, std::int32_t* tile) {
  load_words(wave, operand, shape, tile);
}

void load_accumulator(const Wave& wave, const Operand& operand, const MatrixShape& shape, double* tile) {
  const bool constant = operand.kind != OperandKind::vector_register;
  const double value = std::bit_cast<double>(constant_bits64(operand));
  for_each_result_row(shape, 1, [&](int item, int lane, int block, int row) {
    double line[k_wave_size];
    if (!constant)
      decode_f64(&wave.vector[operand.index], item, line);
    for (int j = 0; j < shape.columns; ++j)
      tile[(block * shape.rows + row) * shape.columns + j] = constant ? value : line[lane + j];
  });
}

void store_accumulator(Wave& wave, const Operand& operand, const MatrixShape& shape, const float* tile) {
  float result[32 * 32 * 2];
  for (int i = 0; i < shape.rows * shape.columns * shape.blocks; ++i)
    result[i] = tile[i] != tile[i] ? k_quiet_nan : tile[i];
  store_words(wave, operand, shape, result);
}

void store_accumulator(Wave& wave, const Operand& operand, const MatrixShape& shape, const std::int32_t* tile) {
  store_words(wave, operand, shape, tile);
}

void store_accumulator(Wave& wave, const Operand& operand, const MatrixShape& shape, const double* tile) {
  for_each_result_row(shape, 1, [&](int item, int lane, int block, int row) {
    for (int j = 0; j < shape.columns; ++j) {
      double value = tile[(block * shape.rows + row) * shape.columns + j];
      if (std::isnan(value))
        value = std::bit_cast<double>(std::uint64_t{0x7ff8000000000000});
      const auto bits = std::bit_cast<std::uint64_t>(value);
      wave.vector[operand.index + 2 * item][lane + j] = std::uint32_t(bits);
      wave.vector[operand.index + 2 * item + 1][lane + j] = std::uint32_t(bits >> 32);
    }
  });
}

bool operands_allowed(Wave& wave, const Instruction& instruction) {
  constexpr std::uint32_t k_fp16_overflow_mode = 1u << 23;
  const Operand& d = instruction.operands[0];
  const Operand& a = instruction.operands[1];
  const Operand& b = instruction.operands[2];
  const Operand& c = instruction.operands[3];
  const char* reason = nullptr;
  if (d.kind != OperandKind::vector_register || a.kind != OperandKind::vector_register ||
      b.kind != OperandKind::vector_register)
    reason = "the result, A and B must be vector or accumulation registers";
  else if (d.registers > 4 && (overlap(d, a) || overlap(d, b)))
    reason = "the result overlaps A or B, which the hardware still reads while it writes the result";
  else if (d.registers > 4 && overlap(d, c) && d.index != c.index)
    reason = "the result overlaps C without being equal to it";
  else if (wave.mode & k_fp16_overflow_mode)
    reason = "MODE.FP16_OVFL clamps overflowing results, which is not modelled";
  if (reason == nullptr)
    return true;
  wave.raise(FaultKind::unsupported_operand, instruction, reason);
  return false;
}

} // namespace hk::sim
