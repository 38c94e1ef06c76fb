// v_mfma_f32_*_{fp8,bf8}_{fp8,bf8}: 8-bit floats, FNUZ on gfx942 and OCP on gfx950.

#include "sim/instructions/matrix/arithmetic/register_dense.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

namespace {

enum class Byte : std::uint8_t { fp8, bf8 };

DecodeItem<float> decoder(Target target, Byte format) {
  if (target == Target::gfx942)
    return format == Byte::fp8 ? static_cast<DecodeItem<float>>(decode_fp8_fnuz) : decode_bf8_fnuz;
  return format == Byte::fp8 ? static_cast<DecodeItem<float>>(decode_fp8_ocp) : decode_bf8_ocp;
}

template <int Size, int Depth, Byte A, Byte B>
void execute(Wave& wave, const Instruction& instruction) {
  const Target target = wave.workgroup->target;
  constexpr MatrixShape shape{Size, Size, Depth, 1};
  execute_dense_product<shape>(
      wave, instruction, DenseFormat<float>{shape, decoder(target, A), decoder(target, B), DepthOrder::consecutive});
}

} // namespace

void register_mfma_fp8(OperationTable& table) {
  add_matrix_operation(table, "v_mfma_f32_16x16x32_fp8_fp8", execute<16, 32, Byte::fp8, Byte::fp8>);
  add_matrix_operation(table, "v_mfma_f32_16x16x32_fp8_bf8", execute<16, 32, Byte::fp8, Byte::bf8>);
  add_matrix_operation(table, "v_mfma_f32_16x16x32_bf8_fp8", execute<16, 32, Byte::bf8, Byte::fp8>);
  add_matrix_operation(table, "v_mfma_f32_16x16x32_bf8_bf8", execute<16, 32, Byte::bf8, Byte::bf8>);
  add_matrix_operation(table, "v_mfma_f32_32x32x16_fp8_fp8", execute<32, 16, Byte::fp8, Byte::fp8>);
  add_matrix_operation(table, "v_mfma_f32_32x32x16_fp8_bf8", execute<32, 16, Byte::fp8, Byte::bf8>);
  add_matrix_operation(table, "v_mfma_f32_32x32x16_bf8_fp8", execute<32, 16, Byte::bf8, Byte::fp8>);
  add_matrix_operation(table, "v_mfma_f32_32x32x16_bf8_bf8", execute<32, 16, Byte::bf8, Byte::bf8>);
}

} // namespace hk::sim
