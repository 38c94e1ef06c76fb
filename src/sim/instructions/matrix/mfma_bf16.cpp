// v_mfma_f32_*_bf16: bfloat16 operands, binary32 accumulation. Subnormals are kept. The _1k mnemonics are gfx90a's
// names of the same instructions.

#include "sim/instructions/matrix/arithmetic/register_dense.h"

namespace hk::sim {

namespace {

constexpr DenseFormat<float> format(int rows, int columns, int depth, int blocks) {
  return {{rows, columns, depth, blocks}, decode_bf16, decode_bf16, DepthOrder::consecutive};
}

} // namespace

void register_mfma_bf16(OperationTable& table) {
  add_dense<format(32, 32, 8, 1)>(table, "v_mfma_f32_32x32x8_bf16");
  add_dense<format(16, 16, 16, 1)>(table, "v_mfma_f32_16x16x16_bf16");
  add_dense<format(32, 32, 8, 1)>(table, "v_mfma_f32_32x32x8_bf16_1k");
  add_dense<format(16, 16, 16, 1)>(table, "v_mfma_f32_16x16x16_bf16_1k");
  add_dense<format(32, 32, 4, 2)>(table, "v_mfma_f32_32x32x4_2b_bf16");
  add_dense<format(16, 16, 4, 4)>(table, "v_mfma_f32_16x16x4_4b_bf16");
  add_dense<format(4, 4, 4, 16)>(table, "v_mfma_f32_4x4x4_16b_bf16");
  // gfx950
  add_dense<format(32, 32, 16, 1)>(table, "v_mfma_f32_32x32x16_bf16");
  add_dense<format(16, 16, 32, 1)>(table, "v_mfma_f32_16x16x32_bf16");
}

} // namespace hk::sim
