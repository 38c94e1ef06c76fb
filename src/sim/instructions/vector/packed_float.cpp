// v_pk_* of f32 and f16.

#include <cmath>

#include "sim/instructions/vector/access/float_order.h"
#include "sim/instructions/vector/access/half_fused.h"
#include "sim/instructions/vector/access/packed_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

template <bool maximum>
std::uint32_t half_select_number(bool ieee, std::uint32_t a, std::uint32_t b) {
  return select_number<HalfLayout, maximum>(ieee, a, b);
}

template <bool maximum>
std::uint32_t half_select_or_nan(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return select_or_nan<HalfLayout, maximum>(select_or_nan<HalfLayout, maximum>(a, b), c);
}

} // namespace

void register_packed_float(OperationTable& table) {
  add_packed_operation<F32(F32, F32)>(table, "v_pk_add_f32", [](float a, float b) { return a + b; });
  add_packed_operation<F32(F32, F32)>(table, "v_pk_mul_f32", [](float a, float b) { return a * b; });
  add_packed_operation<F32(F32, F32, F32)>(table, "v_pk_fma_f32",
                                           [](float a, float b, float c) { return std::fma(a, b, c); });

  add_packed_operation<F16(F16, F16)>(table, "v_pk_add_f16", [](float a, float b) { return a + b; });
  add_packed_operation<F16(F16, F16)>(table, "v_pk_mul_f16", [](float a, float b) { return a * b; });
  const auto fused = [](float a, float b, float c) { return half_fused_multiply_add(a, b, c); };
  add_packed_operation<F16(F16, F16, F16)>(table, "v_pk_fma_f16", fused);
  add_packed_operation<F16(F16, F16, Destination<F16>)>(table, "v_pk_fmac_f16", fused);

  using Half = Raw<F16>;
  using Bits = std::uint32_t;
  add_packed_operation<Half(Half, Half)>(table, "v_pk_min_f16", [](const FloatMode& mode, Bits a, Bits b) {
    return half_select_number<false>(mode.ieee, a, b);
  });
  add_packed_operation<Half(Half, Half)>(table, "v_pk_max_f16", [](const FloatMode& mode, Bits a, Bits b) {
    return half_select_number<true>(mode.ieee, a, b);
  });
  add_packed_operation<Half(Half, Half, Half)>(
      table, "v_pk_minimum3_f16", [](Bits a, Bits b, Bits c) { return half_select_or_nan<false>(a, b, c); });
  add_packed_operation<Half(Half, Half, Half)>(
      table, "v_pk_maximum3_f16", [](Bits a, Bits b, Bits c) { return half_select_or_nan<true>(a, b, c); });
}

} // namespace hk::sim
