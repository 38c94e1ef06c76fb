// v_mfma_f32_*_f8f6f4 and v_mfma_scale_f32_*_f8f6f4 (gfx950): A's format is cbsz, B's is blgp: 0 E4M3, 1 E5M2, 2 E2M3,
// 3 E3M2, 4 E2M1. 8-bit operands hold two runs of 16 along k, one in each half of the depth; 6-bit and 4-bit ones hold
// 32 consecutive values ("CDNA4 ISA", section "Dense Matrix Layouts: 8-bit and Smaller").
//
// The scaled form multiplies each block of 32 products along k by 2^(scale of A's row + scale of B's column). A scale
// is a biased exponent (E8M0, bias 127, 255 is NaN); lane l holds that of row l % rows and block l / rows; op_sel (low
// bit) and op_sel_hi (high bit) choose the byte. The dot product of a block is taken first, then scaled, then added.

#include <cmath>

#include "sim/instructions/matrix/arithmetic/number_formats.h"
#include "sim/instructions/matrix/arithmetic/register_dense.h"

namespace hk::sim {

namespace {

constexpr int k_scale_block = 32;

struct NarrowFormat {
  DecodeItem<float> decode;
  DepthOrder order;
  int registers;
};

constexpr NarrowFormat k_formats[] = {
    {decode_fp8_ocp, DepthOrder::two_halves, 8}, {decode_bf8_ocp, DepthOrder::two_halves, 8},
    {decode_fp6, DepthOrder::consecutive, 6},    {decode_bf6, DepthOrder::consecutive, 6},
    {decode_fp4, DepthOrder::consecutive, 4},
};

bool unpack_narrow(Wave& wave, const Instruction& instruction, const MatrixShape& shape, int operand, unsigned code,
                   float* tile) {
  const Operand& registers = instruction.operands[operand];
  if (code >= std::size(k_formats) || registers.registers != k_formats[code].registers) {
    wave.raise(FaultKind::unsupported_operand, instruction,
               "operand format " + std::to_string(code) + " does not fit an operand of " +
                   std::to_string(registers.registers) + " registers");
    return false;
  }
  const NarrowFormat& format = k_formats[code];
  unpack_operand<float>(shape, format.order, &wave.vector[registers.index], format.decode, tile);
  return true;
}

template <int Size, int Depth>
bool unpack_both(Wave& wave, const Instruction& instruction, float* a, float* b) {
  constexpr MatrixShape shape{Size, Size, Depth, 1};
  return operands_allowed(wave, instruction) &&
         unpack_narrow(wave, instruction, shape, 1, instruction.modifiers.cbsz, a) &&
         unpack_narrow(wave, instruction, shape, 2, instruction.modifiers.blgp, b);
}

template <int Size, int Depth>
void execute_plain(Wave& wave, const Instruction& instruction) {
  constexpr MatrixShape shape{Size, Size, Depth, 1};
  alignas(64) float a[Size * Depth];
  alignas(64) float b[Size * Depth];
  if (unpack_both<Size, Depth>(wave, instruction, a, b))
    accumulate<shape>(wave, instruction, a, b);
}

// 2^(exponent - 127) of an operand's scales for all lanes: a byte of a register, or of a constant the exponent field.
void read_scales(const Wave& wave, const Operand& operand, unsigned byte, double* scales) {
  std::uint32_t constant = std::uint32_t(operand.integer);
  if (operand.kind == OperandKind::float_constant)
    constant = std::bit_cast<std::uint32_t>(float(operand.real));
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::uint32_t exponent = operand.kind == OperandKind::vector_register
                                       ? wave.vector[operand.index][lane] >> (8 * byte) & 0xff
                                       : constant >> 23 & 0xff;
    // rebiased from 127 to binary64's 1023: always a normal number
    scales[lane] = exponent == 0xff ? std::nan("") : std::bit_cast<double>(std::uint64_t(exponent + 1023 - 127) << 52);
  }
}

template <int Size, int Depth>
void execute_scaled(Wave& wave, const Instruction& instruction) {
  constexpr MatrixShape shape{Size, Size, Depth, 1};
  alignas(64) float a[Size * Depth];
  alignas(64) float b[Size * Depth];
  alignas(64) float result[Size * Size];
  if (!unpack_both<Size, Depth>(wave, instruction, a, b))
    return;
  const Modifiers& modifiers = instruction.modifiers;
  double a_scales[k_wave_size];
  double b_scales[k_wave_size];
  read_scales(wave, instruction.operands[4], (modifiers.op_sel & 1u) | (modifiers.op_sel_hi & 1u) << 1, a_scales);
  read_scales(wave, instruction.operands[5], (modifiers.op_sel >> 1 & 1u) | (modifiers.op_sel_hi >> 1 & 1u) << 1,
              b_scales);
  load_accumulator(wave, instruction.operands[3], shape, result);
  for (int block = 0; block < Depth / k_scale_block; ++block) {
    alignas(64) float dot[Size * Size] = {};
    multiply_accumulate(a + block * k_scale_block * Size, b + block * k_scale_block * Size, dot, Size, Size,
                        k_scale_block);
    for (int i = 0; i < Size; ++i)
      for (int j = 0; j < Size; ++j) {
        const double scale = a_scales[block * Size + i] * b_scales[block * Size + j];
        result[i * Size + j] = float(double(result[i * Size + j]) + double(dot[i * Size + j]) * scale);
      }
  }
  store_accumulator(wave, instruction.operands[0], shape, result);
}

} // namespace

void register_mfma_f8f6f4(OperationTable& table) {
  add_matrix_operation(table, "v_mfma_f32_16x16x128_f8f6f4", execute_plain<16, 128>);
  add_matrix_operation(table, "v_mfma_f32_32x32x64_f8f6f4", execute_plain<32, 64>);
  add_matrix_operation(table, "v_mfma_scale_f32_16x16x128_f8f6f4", execute_scaled<16, 128>);
  add_matrix_operation(table, "v_mfma_scale_f32_32x32x64_f8f6f4", execute_scaled<32, 64>);
}

} // namespace hk::sim
