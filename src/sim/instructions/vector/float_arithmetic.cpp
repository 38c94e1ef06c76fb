// Sums, products and fused multiply-adds of f32, f16 and f64.

#include <cmath>

#include "sim/instructions/vector/access/half_fused.h"
#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

template <typename Tag>
void add_sums_and_products(OperationTable& table, const std::string& type) {
  add_lane_operation<Tag(Tag, Tag)>(table, "v_add_" + type, [](auto a, auto b) { return a + b; });
  add_lane_operation<Tag(Tag, Tag)>(table, "v_mul_" + type, [](auto a, auto b) { return a * b; });
}

template <typename Tag>
void add_differences(OperationTable& table, const std::string& type) {
  add_lane_operation<Tag(Tag, Tag)>(table, "v_sub_" + type, [](auto a, auto b) { return a - b; });
  add_lane_operation<Tag(Tag, Tag)>(table, "v_subrev_" + type, [](auto a, auto b) { return b - a; });
}

// V_MAD and V_MAC round the product to f16 before the sum.
float half_multiply_then_add(const FloatMode& mode, float a, float b, float c) {
  return half_to_float(float_to_half(a * b, mode.rounding64, mode.overflow_to_max_finite)) + c;
}

void register_fused(OperationTable& table) {
  const auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
  // v_fmamk has the constant second, v_fmaak third: in the order of the text all are a * b + c.
  for (const char* name : {"v_fma_f32", "v_fmamk_f32", "v_fmaak_f32"})
    add_lane_operation<F32(F32, F32, F32)>(table, name, fused);
  add_lane_operation<F32(F32, F32, Destination<F32>)>(table, "v_fmac_f32", fused);
  add_lane_operation<F64(F64, F64, F64)>(table, "v_fma_f64", fused);
  add_lane_operation<F64(F64, F64, Destination<F64>)>(table, "v_fmac_f64", fused);

  const auto half_fused = [](float a, float b, float c) { return half_fused_multiply_add(a, b, c); };
  add_lane_operation<Low<F16>(F16, F16, F16)>(table, "v_fma_f16", half_fused);
  add_lane_operation<F16(F16, F16, F16)>(table, "v_fma_legacy_f16", half_fused);
}

void register_half_unfused(OperationTable& table) {
  const auto unfused = [](const FloatMode& mode, float a, float b, float c) {
    return half_multiply_then_add(mode, a, b, c);
  };
  for (const char* name : {"v_mad_f16", "v_madmk_f16", "v_madak_f16"})
    add_lane_operation<Low<F16>(F16, F16, F16)>(table, name, unfused);
  add_lane_operation<F16(F16, F16, F16)>(table, "v_mad_legacy_f16", unfused);
  add_lane_operation<Low<F16>(F16, F16, Destination<F16>)>(table, "v_mac_f16", unfused);
}

} // namespace

void register_float_arithmetic(OperationTable& table) {
  add_sums_and_products<F32>(table, "f32");
  add_sums_and_products<F16>(table, "f16");
  add_sums_and_products<F64>(table, "f64");
  add_differences<F32>(table, "f32");
  add_differences<F16>(table, "f16");
  register_fused(table);
  register_half_unfused(table);
  // DX9 rule: 0 times anything is 0.
  add_lane_operation<F32(F32, F32)>(table, "v_mul_legacy_f32",
                                    [](float a, float b) { return a == 0.0F || b == 0.0F ? 0.0F : a * b; });
}

} // namespace hk::sim
