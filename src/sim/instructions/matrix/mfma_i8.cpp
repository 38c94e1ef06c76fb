// v_mfma_i32_*_i8: signed bytes, 32-bit accumulation modulo 2^32.

#include "sim/instructions/matrix/arithmetic/register_dense.h"

namespace hk::sim {

namespace {

constexpr DenseFormat<std::int32_t> format(int rows, int columns, int depth, int blocks) {
  return {{rows, columns, depth, blocks}, decode_i8, decode_i8, DepthOrder::consecutive};
}

} // namespace

void register_mfma_i8(OperationTable& table) {
  add_dense<format(32, 32, 16, 1)>(table, "v_mfma_i32_32x32x16_i8");
  add_dense<format(16, 16, 32, 1)>(table, "v_mfma_i32_16x16x32_i8");
  add_dense<format(32, 32, 4, 2)>(table, "v_mfma_i32_32x32x4_2b_i8");
  add_dense<format(16, 16, 4, 4)>(table, "v_mfma_i32_16x16x4_4b_i8");
  add_dense<format(4, 4, 4, 16)>(table, "v_mfma_i32_4x4x4_16b_i8");
  // gfx950
  add_dense<format(32, 32, 32, 1)>(table, "v_mfma_i32_32x32x32_i8");
  add_dense<format(16, 16, 64, 1)>(table, "v_mfma_i32_16x16x64_i8");
}

} // namespace hk::sim
