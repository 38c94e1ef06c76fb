// Conversions between the floating-point formats of 16 bits and more.

#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/stochastic_rounding.h"

namespace hk::sim {

using namespace vector;

void register_convert_float(OperationTable& table) {
  add_lane_operation<F16(F32)>(table, "v_cvt_f16_f32", [](float x) { return x; });
  add_lane_operation<Exact<F32>(F16)>(table, "v_cvt_f32_f16", [](float x) { return x; });
  add_lane_operation<Exact<F32>(BF16)>(table, "v_cvt_f32_bf16", [](float x) { return x; });
  add_lane_operation<F32(F64)>(table, "v_cvt_f32_f64", [](double x) { return float(x); });
  add_lane_operation<Exact<F64>(F32)>(table, "v_cvt_f64_f32", [](float x) { return double(x); });

  // These two ignore the MODE rounding.
  add_lane_operation<U32(F32, F32)>(table, "v_cvt_pkrtz_f16_f32", [](float a, float b) {
    return float_to_half_toward_zero(a) | (float_to_half_toward_zero(b) << 16);
  });
  add_lane_operation<U32(F32, F32)>(table, "v_cvt_pk_f16_f32", [](const FloatMode& mode, float a, float b) {
    return float_to_half_nearest(a, mode.overflow_to_max_finite) |
           (float_to_half_nearest(b, mode.overflow_to_max_finite) << 16);
  });
  add_lane_operation<U32(F32, F32)>(
      table, "v_cvt_pk_bf16_f32", [](float a, float b) { return float_to_bfloat16(a) | (float_to_bfloat16(b) << 16); });

  add_lane_operation<Low<U16>(F32, U32)>(
      table, "v_cvt_sr_f16_f32", [](const FloatMode& mode, float x, std::uint32_t random) {
        return std::uint16_t(stochastic_half(x, random, mode.overflow_to_max_finite));
      });
  add_lane_operation<Low<U16>(F32, U32)>(table, "v_cvt_sr_bf16_f32", [](float x, std::uint32_t random) {
    return std::uint16_t(stochastic_bfloat16(x, random));
  });
}

} // namespace hk::sim
