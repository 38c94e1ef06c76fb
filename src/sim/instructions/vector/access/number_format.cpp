#include "sim/instructions/vector/access/number_format.h"

#include <cmath>
#include <limits>

namespace hk::sim::vector {

namespace {

std::uint32_t all_ones(unsigned bits) {
  return std::uint32_t((std::uint64_t{1} << bits) - 1);
}

std::uint32_t sign_bit(const NumberFormat& format) {
  return std::uint32_t{1} << (format.exponent_bits + format.mantissa_bits);
}

std::uint32_t infinity_code(const NumberFormat& format) {
  return all_ones(format.exponent_bits) << format.mantissa_bits;
}

std::uint32_t largest_code(const NumberFormat& format) {
  const std::uint32_t magnitude = all_ones(format.exponent_bits + format.mantissa_bits);
  if (format.special == Special::ieee)
    return infinity_code(format) - 1U;
  return format.special == Special::all_ones ? magnitude - 1U : magnitude;
}

std::uint32_t nan_code(const NumberFormat& format, std::uint32_t sign) {
  switch (format.special) {
  case Special::ieee: // the quiet bit, and for E5M2 that is all
    return sign | infinity_code(format) | (std::uint32_t{1} << (format.mantissa_bits - 1));
  case Special::minus_zero:
    return sign_bit(format);
  case Special::all_ones:
  case Special::none:
    break;
  }
  return sign | all_ones(format.exponent_bits + format.mantissa_bits);
}

std::uint32_t overflow_code(const NumberFormat& format, std::uint32_t sign, bool saturate) {
  if (saturate || format.special == Special::none)
    return sign | largest_code(format);
  return format.special == Special::ieee ? sign | infinity_code(format) : nan_code(format, sign);
}

bool is_nan_code(const NumberFormat& format, std::uint32_t code) {
  const std::uint32_t magnitude = code & (sign_bit(format) - 1U);
  switch (format.special) {
  case Special::ieee:
    return magnitude > infinity_code(format);
  case Special::all_ones:
    return magnitude == sign_bit(format) - 1U;
  case Special::minus_zero:
    return code == sign_bit(format);
  case Special::none:
    break;
  }
  return false;
}

} // namespace

double read_number(const NumberFormat& format, std::uint32_t code) {
  code &= all_ones(format.bits());
  if (is_nan_code(format, code))
    return std::numeric_limits<double>::quiet_NaN();
  const bool negative = (code & sign_bit(format)) != 0;
  const std::uint32_t magnitude = code & (sign_bit(format) - 1U);
  double value = 0.0;
  if (format.special == Special::ieee && magnitude == infinity_code(format)) {
    value = std::numeric_limits<double>::infinity();
  } else {
    const std::uint32_t exponent = magnitude >> format.mantissa_bits;
    const std::uint32_t mantissa = magnitude & all_ones(format.mantissa_bits);
    const std::uint32_t significand = exponent == 0 ? mantissa : mantissa | (1U << format.mantissa_bits);
    value =
        std::ldexp(double(significand), (exponent == 0 ? 1 : int(exponent)) - format.bias - int(format.mantissa_bits));
  }
  return negative ? -value : value;
}

std::uint32_t write_number(const NumberFormat& format, double value, const WriteOptions& options) {
  const std::uint32_t sign = std::signbit(value) ? sign_bit(format) : 0U;
  if (std::isnan(value))
    return nan_code(format, sign);
  if (std::isinf(value)) // FP16_OVFL keeps true infinities
    return overflow_code(format, sign, false);
  const std::uint32_t negative_zero = format.special == Special::minus_zero ? 0U : sign;
  const double magnitude = std::fabs(value);
  if (magnitude == 0.0)
    return negative_zero;
  // The last place is 2^(exponent - mantissa_bits), for denormals that of the smallest normal exponent.
  const int lowest = 1 - format.bias;
  const int own_exponent = std::ilogb(magnitude);
  const int exponent = own_exponent < lowest ? lowest : own_exponent;
  if (exponent > lowest + int(all_ones(format.exponent_bits)))
    return overflow_code(format, sign, options.saturate);
  const double places = std::ldexp(magnitude, int(format.mantissa_bits) - exponent);
  double whole = 0.0;
  if (options.stochastic) {
    const std::uint32_t random = options.random_bits == 0 ? 0U : options.random >> (32 - options.random_bits);
    whole = std::floor(places + std::ldexp(double(random), -int(options.random_bits)));
  } else {
    whole = std::floor(places);
    const double rest = places - whole;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0.0))
      whole += 1.0;
  }
  // A carry out of the mantissa moves into the exponent field by itself.
  const std::uint32_t code = std::uint32_t(whole) + (std::uint32_t(exponent - lowest) << format.mantissa_bits);
  if (code > largest_code(format))
    return overflow_code(format, sign, options.saturate);
  return code == 0 ? negative_zero : code | sign;
}

} // namespace hk::sim::vector
