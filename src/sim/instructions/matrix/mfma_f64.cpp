// v_mfma_f64_*_f64: binary64 throughout, one fused multiply-add per product. blgp is not a lane permutation here but
// negates A (bit 0), B (bit 1) and C (bit 2); the assembler writes it as neg:[a,b,c].

#include "sim/instructions/matrix/arithmetic/register_dense.h"

namespace hk::sim {

namespace {

void negate_all(double* tile, int count) {
  for (int i = 0; i < count; ++i)
    tile[i] = -tile[i];
}

template <int Size, int Depth, int Blocks>
void execute(Wave& wave, const Instruction& instruction) {
  if (!operands_allowed(wave, instruction))
    return;
  constexpr MatrixShape shape{Size, Size, Depth, Blocks};
  const unsigned negated = instruction.modifiers.neg_lo | instruction.modifiers.blgp;
  double a[Size * Depth * Blocks];
  double b[Size * Depth * Blocks];
  double result[Size * Size * Blocks];
  unpack_operand<double>(shape, DepthOrder::consecutive, &wave.vector[instruction.operands[1].index], decode_f64, a);
  unpack_operand<double>(shape, DepthOrder::consecutive, &wave.vector[instruction.operands[2].index], decode_f64, b);
  load_accumulator(wave, instruction.operands[3], shape, result);
  if (negated & 1)
    negate_all(a, Size * Depth * Blocks);
  if (negated & 2)
    negate_all(b, Size * Depth * Blocks);
  if (negated & 4)
    negate_all(result, Size * Size * Blocks);
  for (int block = 0; block < Blocks; ++block)
    multiply_accumulate(a + block * Depth * Size, b + block * Depth * Size, result + block * Size * Size, Size, Size,
                        Depth);
  store_accumulator(wave, instruction.operands[0], shape, result);
}

} // namespace

void register_mfma_f64(OperationTable& table) {
  add_matrix_operation(table, "v_mfma_f64_16x16x4_f64", execute<16, 4, 1>);
  add_matrix_operation(table, "v_mfma_f64_4x4x4_4b_f64", execute<4, 4, 4>);
}

} // namespace hk::sim
