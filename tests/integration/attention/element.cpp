#include "element.h"

#include <algorithm>
#include <cmath>

namespace hk::test {
namespace {

struct Format {
  int fraction_bits;
  int smallest_exponent; // of a normal number
  std::uint16_t infinity;
};

constexpr Format format_of(hk_dtype dtype) {
  return dtype == HK_DTYPE_BFLOAT16 ? Format{7, -126, 0x7f80} : Format{10, -14, 0x7c00};
}

int exponent_at(const Format& format, double magnitude) {
  return magnitude > 0 ? std::max(std::ilogb(magnitude), format.smallest_exponent) : format.smallest_exponent;
}

} // namespace

double widen(hk_dtype dtype, std::uint16_t bits) {
  const Format format = format_of(dtype);
  const int magnitude = bits & 0x7fff;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (magnitude > format.infinity)
    return std::nan("");
  if (magnitude == format.infinity)
    return sign * HUGE_VAL;
  const int one = 1 << format.fraction_bits;
  const int biased = magnitude >> format.fraction_bits;
  const int fraction = magnitude & (one - 1);
  const int quanta = biased == 0 ? fraction : fraction + one;
  return sign * std::ldexp(quanta, format.smallest_exponent + std::max(biased, 1) - 1 - format.fraction_bits);
}

std::uint16_t narrow(hk_dtype dtype, double value) {
  if (std::isnan(value))
    return k_nan_bits;
  const Format format = format_of(dtype);
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::abs(value);
  if (std::isinf(magnitude))
    return sign | format.infinity;
  const int exponent = exponent_at(format, magnitude);
  // Below 2 to the fraction bits + 1; std::nearbyint rounds ties to even.
  const auto quanta = static_cast<std::int64_t>(std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent)));
  // A carry out of the fraction moves into the exponent by itself.
  const std::int64_t bits = (std::int64_t{exponent - format.smallest_exponent} << format.fraction_bits) + quanta;
  return sign | static_cast<std::uint16_t>(std::min<std::int64_t>(bits, format.infinity));
}

double ulp_at(hk_dtype dtype, double magnitude) {
  const Format format = format_of(dtype);
  return std::ldexp(1.0, exponent_at(format, magnitude) - format.fraction_bits);
}

} // namespace hk::test
