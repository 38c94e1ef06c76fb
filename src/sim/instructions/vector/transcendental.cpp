// Exponentials, logarithms, reciprocals, roots and circular functions.
//
// The hardware's f32 units flush denormal operands and results whatever MODE says (LLVM expands exp2, log2, division
// and square root around that), and are good to 1 ulp. Here f32 and f16 results are computed in double and rounded
// once, so they are the correctly rounded ones but for a few arguments in a million.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

float flush(float x) {
  return std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x;
}

// 2^x for |x| <= 1100. The fraction, at most 1/2 in magnitude, goes through the Taylor series of exp(f ln 2): the first
// term left out, (ln 2 / 2)^12 / 12!, is below 2^-47.
double exponential2(double x) {
  constexpr double shifter = 0x1.8p52;
  const double shifted = x + shifter;
  const double whole = shifted - shifter;
  const double f = (x - whole) * std::numbers::ln2;
  double p = 1.0 / 39916800.0;
  p = p * f + 1.0 / 3628800.0;
  p = p * f + 1.0 / 362880.0;
  p = p * f + 1.0 / 40320.0;
  p = p * f + 1.0 / 5040.0;
  p = p * f + 1.0 / 720.0;
  p = p * f + 1.0 / 120.0;
  p = p * f + 1.0 / 24.0;
  p = p * f + 1.0 / 6.0;
  p = p * f + 0.5;
  p = p * f + 1.0;
  p = p * f + 1.0;
  // The low bits of `shifted` hold the whole part; moved into the exponent field they make 2^whole.
  const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) + 1023U) << 52;
  return p * std::bit_cast<double>(power);
}

// The argument of f32 and f16 exponentials, kept where 2^x is representable in double; beyond, f32 overflows or
// underflows anyway.
double exponential2_clamped(float x) {
  const double limited = x > 1000.0F ? 1000.0 : x < -1000.0F ? -1000.0 : double(x);
  return exponential2(x != x ? double(x) : limited);
}

// sin or cos of 2 pi x. The reduction to one turn is exact in double.
template <bool sine>
double circular(double x) {
  const double turn = x - std::floor(x);
  // Exact at the quarters, where the rounded 2 pi would give 1e-16 for 0.
  if (turn * 4.0 == std::floor(turn * 4.0)) {
    constexpr double sines[4] = {0.0, 1.0, 0.0, -1.0};
    return sines[(int(turn * 4.0) + (sine ? 0 : 1)) & 3];
  }
  const double angle = turn * (2.0 * std::numbers::pi);
  return sine ? std::sin(angle) : std::cos(angle);
}

template <bool sine>
float circular_float(float x) {
  if (sine && x == 0.0F)
    return x; // keeps -0
  if (!std::isfinite(x))
    return std::isnan(x) ? x + x : -std::numeric_limits<float>::quiet_NaN();
  return float(circular<sine>(double(x)));
}

template <typename T>
T reciprocal_root(T x) {
  return x == T(0) ? std::copysign(std::numeric_limits<T>::infinity(), x) : T(1) / std::sqrt(x);
}

void register_float(OperationTable& table) {
  using Result = Exact<F32>;
  const auto exponential = [](float x) { return flush(float(exponential2_clamped(flush(x)))); };
  const auto logarithm = [](float x) { return flush(float(std::log2(double(flush(x))))); };
  const auto reciprocal = [](float x) { return flush(1.0F / flush(x)); };
  add_transcendental<Result(F32)>(table, "v_exp_f32", exponential);
  add_transcendental<Result(F32)>(table, "v_exp_legacy_f32", exponential);
  add_transcendental<Result(F32)>(table, "v_log_f32", logarithm);
  add_transcendental<Result(F32)>(table, "v_log_legacy_f32", logarithm);
  add_transcendental<Result(F32)>(table, "v_rcp_f32", reciprocal);
  add_transcendental<Result(F32)>(table, "v_rcp_iflag_f32", reciprocal);
  add_transcendental<Result(F32)>(table, "v_rsq_f32",
                                  [](float x) { return flush(float(reciprocal_root(double(flush(x))))); });
  add_transcendental<Result(F32)>(table, "v_sqrt_f32", [](float x) { return std::sqrt(flush(x)); });
  add_transcendental<Result(F32)>(table, "v_sin_f32", [](float x) { return flush(circular_float<true>(flush(x))); });
  add_transcendental<Result(F32)>(table, "v_cos_f32", [](float x) { return circular_float<false>(flush(x)); });
}

void register_half(OperationTable& table) {
  using Result = Exact<F16>;
  add_transcendental<Result(F16)>(table, "v_exp_f16", [](float x) { return float(exponential2_clamped(x)); });
  add_transcendental<Result(F16)>(table, "v_log_f16", [](float x) { return float(std::log2(double(x))); });
  add_transcendental<Result(F16)>(table, "v_rcp_f16", [](float x) { return 1.0F / x; });
  add_transcendental<Result(F16)>(table, "v_rsq_f16", [](float x) { return float(reciprocal_root(double(x))); });
  add_transcendental<Result(F16)>(table, "v_sqrt_f16", [](float x) { return std::sqrt(x); });
  add_transcendental<Result(F16)>(table, "v_sin_f16", [](float x) { return circular_float<true>(x); });
  add_transcendental<Result(F16)>(table, "v_cos_f16", [](float x) { return circular_float<false>(x); });
}

void register_double(OperationTable& table) {
  using Result = Exact<F64>;
  add_transcendental<Result(F64)>(table, "v_rcp_f64", [](double x) { return 1.0 / x; });
  add_transcendental<Result(F64)>(table, "v_rsq_f64", [](double x) { return reciprocal_root(x); });
  add_transcendental<Result(F64)>(table, "v_sqrt_f64", [](double x) { return std::sqrt(x); });
}

} // namespace

void register_transcendental(OperationTable& table) {
  register_float(table);
  register_half(table);
  register_double(table);
}

} // namespace hk::sim
