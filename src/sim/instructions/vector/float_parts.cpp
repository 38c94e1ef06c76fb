// Exponents and significands: v_frexp_*, v_ldexp_*.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

// The exponent of frexp; 0 for zero, infinity and NaN.
template <typename T>
int exponent_of(T x) {
  int exponent = 0;
  if (std::isfinite(x))
    (void)std::frexp(x, &exponent);
  return exponent;
}

// The significand in [0.5, 1); zero, infinity and NaN are returned as they are.
template <typename T>
T significand_of(T x) {
  int exponent = 0;
  return std::isfinite(x) ? std::frexp(x, &exponent) : x + x;
}

// x * 2^n, exact for every float x: with |n| <= 400 the product stays inside the normal range of double, and a larger
// |n| overflows or underflows f32 as 400 does.
double scale(double x, int n) {
  const int limited = std::clamp(n, -400, 400);
  return x * std::bit_cast<double>(std::uint64_t(limited + 1023) << 52);
}

} // namespace

void register_float_parts(OperationTable& table) {
  add_lane_operation<I32(F32)>(table, "v_frexp_exp_i32_f32", [](float x) { return exponent_of(x); });
  add_lane_operation<I32(F64)>(table, "v_frexp_exp_i32_f64", [](double x) { return exponent_of(x); });
  add_lane_operation<I16(F16)>(table, "v_frexp_exp_i16_f16", [](float x) { return std::int16_t(exponent_of(x)); });
  add_lane_operation<Exact<F32>(F32)>(table, "v_frexp_mant_f32", [](float x) { return significand_of(x); });
  add_lane_operation<Exact<F64>(F64)>(table, "v_frexp_mant_f64", [](double x) { return significand_of(x); });
  add_lane_operation<Exact<F16>(F16)>(table, "v_frexp_mant_f16", [](float x) { return significand_of(x); });
  add_lane_operation<F32(F32, I32)>(table, "v_ldexp_f32", [](float x, int n) { return float(scale(x, n)); });
  // 11 digits times a power of two down to 2^-100 are exact in f32.
  add_lane_operation<F16(F16, I16)>(table, "v_ldexp_f16",
                                    [](float x, int n) { return float(scale(x, std::clamp(n, -100, 100))); });
  add_lane_operation<F64(F64, I32)>(table, "v_ldexp_f64", [](double x, int n) { return std::ldexp(x, n); });
}

} // namespace hk::sim
