#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "ops/element.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;

namespace {

// Rounds by search: the representable neighbour with the smaller distance, the even one on a tie. Knows only the
// decoding, which is checked by itself.
std::uint16_t nearest_by_search(ElementType type, float value, std::uint16_t largest_finite) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(static_cast<double>(value));
  std::uint16_t low = 0;
  std::uint16_t high = static_cast<std::uint16_t>(largest_finite + 1); // infinity
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (static_cast<double>(element_to_float(type, middle)) <= magnitude ? low : high) = middle;
  }
  const double below = element_to_float(type, low);
  // The next step beyond the largest finite value counts as if the exponent range went on.
  const double above =
      high > largest_finite
          ? below + (below - static_cast<double>(element_to_float(type, static_cast<std::uint16_t>(low - 1))))
          : static_cast<double>(element_to_float(type, high));
  const double to_low = magnitude - below;
  const double to_high = above - magnitude;
  const bool take_low = to_low < to_high || (to_low == to_high && low % 2 == 0);
  return static_cast<std::uint16_t>(sign | (take_low ? low : high));
}

} // namespace

TEST_CASE("ops.element: known values of IEEE binary16 and bfloat16") {
  CHECK(float16_to_float(0x3c00) == 1.0F);
  CHECK(float16_to_float(0xc000) == -2.0F);
  CHECK(float16_to_float(0x7bff) == 65504.0F);
  CHECK(float16_to_float(0x0001) == 0x1p-24F);
  CHECK(float16_to_float(0x03ff) == 1023 * 0x1p-24F);
  CHECK(float16_to_float(0x0400) == 0x1p-14F);
  CHECK(float16_to_float(0x7c00) == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(float16_to_float(0x7e00)));
  CHECK(std::signbit(float16_to_float(0x8000)));
  CHECK(bfloat16_to_float(0x3f80) == 1.0F);
  CHECK(bfloat16_to_float(0x4049) == 3.140625F);
  CHECK(float_to_float16(65519.0F) == 0x7bff);
  CHECK(float_to_float16(65520.0F) == 0x7c00);
  CHECK(float_to_float16(0x1p-25F) == 0);
  CHECK(float_to_float16(0x1.002p-25F) == 1);
  CHECK(float_to_bfloat16(1.0F + 0x1p-8F) == 0x3f80); // tie, down to even
  CHECK(float_to_bfloat16(1.0F + 0x3p-8F) == 0x3f82); // tie, up to even
  CHECK(float_to_bfloat16(std::numeric_limits<float>::max()) == 0x7f80);
}

TEST_CASE("ops.element: every bit pattern survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    for (const ElementType type : {ElementType::bfloat16, ElementType::float16}) {
      const float value = element_to_float(type, pattern);
      if (std::isnan(value))
        CHECK(std::isnan(element_to_float(type, float_to_element(type, value))));
      else if (float_to_element(type, value) != pattern)
        FAIL_CHECK("pattern ", bits, " came back as ", float_to_element(type, value));
    }
  }
}

TEST_CASE("ops.element: rounding is to nearest, ties to even") {
  std::mt19937 random(7); // NOLINT: a fixed seed is the point
  std::uniform_int_distribution<std::uint32_t> any_bits;
  std::uniform_int_distribution<int> half_exponents(-27, 17); // from below the subnormals to infinity
  std::uniform_real_distribution<float> mantissas(-1.0F, 1.0F);
  for (int i = 0; i < 20000; ++i) {
    const float any = std::bit_cast<float>(any_bits(random));
    if (std::isfinite(any))
      REQUIRE(float_to_bfloat16(any) == nearest_by_search(ElementType::bfloat16, any, 0x7f7f));
    const float half = std::ldexp(mantissas(random), half_exponents(random));
    REQUIRE(float_to_float16(half) == nearest_by_search(ElementType::float16, half, 0x7bff));
  }
}

TEST_SUITE_END();
