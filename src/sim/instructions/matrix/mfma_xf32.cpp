// v_mfma_f32_*_xf32 (gfx942 only): binary32 registers whose values enter with 10 mantissa bits. The documents do not
// say how they are shortened; here they are rounded to nearest even.

#include "sim/instructions/matrix/arithmetic/register_dense.h"

namespace hk::sim {

namespace {

constexpr DenseFormat<float> format(int rows, int columns, int depth) {
  return {{rows, columns, depth, 1}, decode_xf32, decode_xf32, DepthOrder::consecutive};
}

} // namespace

void register_mfma_xf32(OperationTable& table) {
  add_dense<format(16, 16, 8)>(table, "v_mfma_f32_16x16x8_xf32");
  add_dense<format(32, 32, 4)>(table, "v_mfma_f32_32x32x4_xf32");
}

} // namespace hk::sim
