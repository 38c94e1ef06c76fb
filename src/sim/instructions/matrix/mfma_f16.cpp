// v_mfma_f32_*_f16: binary16 operands, binary32 accumulation. Subnormals are kept.

#include "sim/instructions/matrix/arithmetic/register_dense.h"

namespace hk::sim {

namespace {

constexpr DenseFormat<float> format(int rows, int columns, int depth, int blocks) {
  return {{rows, columns, depth, blocks}, decode_f16, decode_f16, DepthOrder::consecutive};
}

} // namespace

void register_mfma_f16(OperationTable& table) {
  add_dense<format(32, 32, 8, 1)>(table, "v_mfma_f32_32x32x8_f16");
  add_dense<format(16, 16, 16, 1)>(table, "v_mfma_f32_16x16x16_f16");
  add_dense<format(32, 32, 4, 2)>(table, "v_mfma_f32_32x32x4_2b_f16");
  add_dense<format(16, 16, 4, 4)>(table, "v_mfma_f32_16x16x4_4b_f16");
  add_dense<format(4, 4, 4, 16)>(table, "v_mfma_f32_4x4x4_16b_f16");
  // gfx950
  add_dense<format(32, 32, 16, 1)>(table, "v_mfma_f32_32x32x16_f16");
  add_dense<format(16, 16, 32, 1)>(table, "v_mfma_f32_16x16x32_f16");
}

} // namespace hk::sim
