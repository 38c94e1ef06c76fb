// The helpers of IEEE division: scaling of the operands, the last fused multiply-add, and the special cases.
//
// A compiler divides as: v_div_scale on denominator and numerator, v_rcp and fused multiply-adds on the scaled values,
// v_div_fmas to undo the scaling of the quotient, v_div_fixup for zeros, infinities and NaNs.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "sim/instructions/vector/access/float_order.h"
#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

template <typename T>
struct Division;
template <>
struct Division<float> {
  using Layout = FloatLayout32;
  static constexpr int exponent_bias = 127;
  static constexpr int exponent_shift = 23;
  static constexpr int scale = 64;          // power of two by which operands are scaled
  static constexpr int large_quotient = 96; // exponent difference from which the quotient may overflow
  static constexpr int tiny_numerator = 23; // biased exponent up to which the numerator is scaled
  static constexpr int quotient_vanishes = -150;
};
template <>
struct Division<double> {
  using Layout = FloatLayout64;
  static constexpr int exponent_bias = 1023;
  static constexpr int exponent_shift = 52;
  static constexpr int scale = 128;
  static constexpr int large_quotient = 768;
  static constexpr int tiny_numerator = 53;
  static constexpr int quotient_vanishes = -1075;
};

template <typename T>
int biased_exponent(T x) {
  using D = Division<T>;
  return int((std::bit_cast<typename D::Layout::Bits>(x) & D::Layout::infinity) >> D::exponent_shift);
}

template <typename T>
bool is_denormal(T x) {
  return x != T(0) && biased_exponent(x) == 0;
}

// Where the real quotient is below the normal range. Taken from the exponents and significands, as the division itself
// may round up to the smallest normal number.
template <typename T>
bool quotient_is_denormal(T numerator, T denominator) {
  int numerator_exponent = 0;
  int denominator_exponent = 0;
  const T n = std::fabs(std::frexp(numerator, &numerator_exponent));
  const T d = std::fabs(std::frexp(denominator, &denominator_exponent));
  const int exponent = numerator_exponent - denominator_exponent - (n < d ? 1 : 0);
  return exponent < 1 - Division<T>::exponent_bias;
}

// The operand to scale is the denominator or the numerator again. The flag asks v_div_fmas to undo the scaling.
template <typename T>
T scale_operand(T operand, T denominator, T numerator, std::uint32_t& flag) {
  using D = Division<T>;
  flag = 0;
  if (numerator == T(0) || denominator == T(0))
    return std::numeric_limits<T>::quiet_NaN();
  if (!std::isfinite(numerator) || !std::isfinite(denominator))
    return operand;
  if (biased_exponent(numerator) - biased_exponent(denominator) >= D::large_quotient) {
    flag = 1;
    return operand == denominator ? std::ldexp(operand, D::scale) : operand;
  }
  if (is_denormal(denominator))
    return std::ldexp(operand, D::scale);
  // The manual prints +64 (+128) also for a huge denominator, which would make it infinite; the quotient that the
  // division sequence must give asks for the opposite sign, as in the branch below it.
  const bool reciprocal_denormal = quotient_is_denormal(T(1), denominator);
  const bool quotient_denormal = quotient_is_denormal(numerator, denominator);
  if (reciprocal_denormal && quotient_denormal) {
    flag = 1;
    return operand == denominator ? std::ldexp(operand, -D::scale) : operand;
  }
  if (reciprocal_denormal)
    return std::ldexp(operand, -D::scale);
  if (quotient_denormal) {
    flag = 1;
    return operand == numerator ? std::ldexp(operand, D::scale) : operand;
  }
  return biased_exponent(numerator) <= D::tiny_numerator ? std::ldexp(operand, D::scale) : operand;
}

// The double next to `rounded` on the side of the exact value rounded + error whose last bit is odd: rounding it to
// fewer digits gives what rounding the exact value gives.
double round_to_odd(double rounded, double error) {
  if (error == 0.0 || !std::isfinite(rounded) || rounded == 0.0)
    return rounded;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(rounded);
  const bool away_from_zero = (error < 0.0) != (rounded < 0.0);
  return std::bit_cast<double>((away_from_zero ? bits - 1U : bits) | 1U);
}

// The rounding error of the sum a + b = sum (Knuth).
double sum_error(double a, double b, double sum) {
  const double b_part = sum - a;
  return (a - (sum - b_part)) + (b - b_part);
}

// (a * b + c) * 2^power with one rounding, `c` being the scaled quotient: a large one was scaled down, a small one up.
float fused_and_unscaled(float a, float b, float c) {
  const double product = double(a) * double(b);
  const double sum = product + double(c);
  const double odd = round_to_odd(sum, sum_error(product, double(c), sum));
  return float(std::ldexp(odd, biased_exponent(c) > 127 ? 64 : -64));
}

double fused_and_unscaled(double a, double b, double c) {
  const double fused = std::fma(a, b, c);
  if (biased_exponent(c) > 1023)
    return std::ldexp(fused, 128);
  if (std::fabs(fused) >= 0x1p-894) // the result is normal: the scaling is exact
    return std::ldexp(fused, -128);
  // Denormal results are multiples of 2^-1074, here of 2^-946. Adding and subtracting a number of that last place
  // rounds to them; where `fused` is a tie, the error that it already has decides.
  constexpr double spacing = 0x1p-946;
  const double shifter = std::copysign(0x1p-894, fused);
  const double product = a * b;
  const double product_error = std::fma(a, b, -product);
  const double sum = product + c;
  const double error = (sum - fused) + (sum_error(product, c, sum) + product_error);
  double rounded = (fused + shifter) - shifter;
  const double rest = fused - rounded;
  if (std::fabs(rest) == spacing / 2 && error != 0.0 && (error > 0.0) == (rest > 0.0))
    rounded += 2.0 * rest;
  return std::ldexp(rounded == 0.0 ? std::copysign(0.0, fused) : rounded, -128);
}

template <typename T>
T fused_quotient(T a, T b, T c, std::uint32_t unscale) {
  return unscale != 0 ? fused_and_unscaled(a, b, c) : std::fma(a, b, c);
}

template <typename T>
T overflowed(Rounding rounding, bool negative) {
  const bool to_infinity = rounding == Rounding::nearest_even ||
                           rounding == (negative ? Rounding::toward_negative : Rounding::toward_positive);
  const T magnitude = to_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  return negative ? -magnitude : magnitude;
}

template <typename T>
T underflowed(Rounding rounding, bool negative) {
  const bool away = rounding == (negative ? Rounding::toward_negative : Rounding::toward_positive);
  const T magnitude = away ? std::numeric_limits<T>::denorm_min() : T(0);
  return negative ? -magnitude : magnitude;
}

// The special quotients; false if there is none. NaN sources become quiet.
template <typename T>
bool special_quotient(T denominator, T numerator, T& result) {
  const bool negative = std::signbit(denominator) != std::signbit(numerator);
  const T infinity = std::numeric_limits<T>::infinity();
  if (std::isnan(numerator))
    result = numerator + numerator;
  else if (std::isnan(denominator))
    result = denominator + denominator;
  else if ((denominator == T(0) && numerator == T(0)) || (std::isinf(denominator) && std::isinf(numerator)))
    result = -std::numeric_limits<T>::quiet_NaN();
  else if (denominator == T(0) || std::isinf(numerator))
    result = negative ? -infinity : infinity;
  else if (std::isinf(denominator) || numerator == T(0))
    result = negative ? -T(0) : T(0);
  else
    return false;
  return true;
}

template <typename T>
T fix_quotient(Rounding rounding, T quotient, T denominator, T numerator) {
  T result = T(0);
  if (special_quotient(denominator, numerator, result))
    return result;
  const bool negative = std::signbit(denominator) != std::signbit(numerator);
  if (biased_exponent(numerator) - biased_exponent(denominator) < Division<T>::quotient_vanishes)
    return underflowed<T>(rounding, negative);
  if (!std::isfinite(quotient))
    return overflowed<T>(rounding, negative);
  return negative ? -std::fabs(quotient) : std::fabs(quotient);
}

float fix_half_quotient(float quotient, float denominator, float numerator) {
  float result = 0.0F;
  if (special_quotient(denominator, numerator, result))
    return result;
  const bool negative = std::signbit(denominator) != std::signbit(numerator);
  return negative ? -std::fabs(quotient) : std::fabs(quotient);
}

template <typename Tag>
void add_division(OperationTable& table, const std::string& type) {
  using T = Tag::Value;
  add_carry_operation<Exact<Tag>(Tag, Tag, Tag)>(table, "v_div_scale_" + type,
                                                 [](T operand, T denominator, T numerator, std::uint32_t& flag) {
                                                   return scale_operand(operand, denominator, numerator, flag);
                                                 });
  Operation fused = lane_operation<Tag(Tag, Tag, Tag, Vcc)>(
      "v_div_fmas_" + type, [](T a, T b, T c, std::uint32_t unscale) { return fused_quotient(a, b, c, unscale); });
  fused.implies_vcc = true;
  table.add(std::move(fused));
  add_lane_operation<Exact<Tag>(Tag, Tag, Tag)>(
      table, "v_div_fixup_" + type, [](const FloatMode& mode, T quotient, T denominator, T numerator) {
        return fix_quotient(rounding_of<Tag>(mode), quotient, denominator, numerator);
      });
}

} // namespace

void register_division(OperationTable& table) {
  add_division<F32>(table, "f32");
  add_division<F64>(table, "f64");
  const auto fix_half = [](float quotient, float denominator, float numerator) {
    return fix_half_quotient(quotient, denominator, numerator);
  };
  add_lane_operation<Low<F16>(F16, F16, F16)>(table, "v_div_fixup_f16", fix_half);
  add_lane_operation<F16(F16, F16, F16)>(table, "v_div_fixup_legacy_f16", fix_half);
}

} // namespace hk::sim
