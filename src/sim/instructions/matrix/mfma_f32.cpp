// v_mfma_f32_*_f32: binary32 throughout, one fused multiply-add per product. A and B obey MODE.FP_DENORM, C and D keep
// subnormals ("CDNA4 ISA", section "Floating-point handling details").

#include "sim/instructions/matrix/arithmetic/register_dense.h"

namespace hk::sim {

namespace {

constexpr std::uint32_t k_keep_single_input_subnormals = 1u << 4; // MODE, FP_DENORM bit 0

template <int Rows, int Columns, int Depth, int Blocks>
void execute(Wave& wave, const Instruction& instruction) {
  const auto decode = wave.mode & k_keep_single_input_subnormals ? decode_f32 : decode_f32_flushed;
  constexpr MatrixShape shape{Rows, Columns, Depth, Blocks};
  execute_dense_product<shape>(wave, instruction, DenseFormat<float>{shape, decode, decode, DepthOrder::consecutive});
}

} // namespace

void register_mfma_f32(OperationTable& table) {
  add_matrix_operation(table, "v_mfma_f32_32x32x2_f32", execute<32, 32, 2, 1>);
  add_matrix_operation(table, "v_mfma_f32_16x16x4_f32", execute<16, 16, 4, 1>);
  add_matrix_operation(table, "v_mfma_f32_32x32x1_2b_f32", execute<32, 32, 1, 2>);
  add_matrix_operation(table, "v_mfma_f32_16x16x1_4b_f32", execute<16, 16, 1, 4>);
  add_matrix_operation(table, "v_mfma_f32_4x4x1_16b_f32", execute<4, 4, 1, 16>);
}

} // namespace hk::sim
