// The arithmetic under the instructions: the same bits on every host path, and the order of operations as documented.

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "sim/instructions/matrix/arithmetic/multiply_accumulate.h"
#include "sim/instructions/matrix/arithmetic/number_formats.h"
#include "sim/instructions/matrix/arithmetic/widen_f16.h"

using namespace hk::sim;

namespace {

// Bit patterns of all kinds: normals, subnormals, infinities, NaNs.
std::vector<float> random_floats(std::size_t count, unsigned seed, bool any_bits) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> moderate(-2.0f, 2.0f);
  std::vector<float> values(count);
  for (float& value : values)
    value = any_bits && random() % 4 == 0 ? std::bit_cast<float>(std::uint32_t(random())) : moderate(random);
  return values;
}

bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

} // namespace

TEST_CASE("one fused multiply-add per product, k ascending, on every path") {
  struct Size {
    int rows, columns, depth;
  };
  for (const Size& size : {Size{32, 32, 8}, Size{16, 16, 16}, Size{32, 32, 16}, Size{4, 4, 4}, Size{16, 16, 1}})
    for (const bool any_bits : {false, true}) {
      const auto count = [](int a, int b) { return std::size_t(a) * std::size_t(b); };
      const auto a = random_floats(count(size.depth, size.rows), 1, any_bits);
      const auto b = random_floats(count(size.depth, size.columns), 2, any_bits);
      const auto c = random_floats(count(size.rows, size.columns), 3, any_bits);
      std::vector<float> expected = c;
      for (int i = 0; i < size.rows; ++i)
        for (int j = 0; j < size.columns; ++j)
          for (int k = 0; k < size.depth; ++k)
            expected[count(i, size.columns) + std::size_t(j)] =
                std::fma(a[count(k, size.rows) + std::size_t(i)], b[count(k, size.columns) + std::size_t(j)],
                         expected[count(i, size.columns) + std::size_t(j)]);
      for (const VectorPath path : {VectorPath::portable, VectorPath::avx2, VectorPath::avx512}) {
        if (!vector_path_available(path))
          continue;
        CAPTURE(int(path));
        CAPTURE(size.rows);
        std::vector<float> result = c;
        multiply_accumulate_on(path, a.data(), b.data(), result.data(), size.rows, size.columns, size.depth);
        int wrong = 0;
        for (std::size_t i = 0; i < result.size(); ++i)
          wrong += !same(result[i], expected[i]);
        CHECK(wrong == 0);
      }
    }
}

TEST_CASE("integer products wrap") {
  const std::int32_t a[4] = {std::numeric_limits<std::int32_t>::max(), 2, 3, -1};
  const std::int32_t b[4] = {2, 1, 0, -1};
  std::int32_t c[16] = {5};
  multiply_accumulate(a, b, c, 4, 4, 1);
  CHECK(c[0] == 3); // 2 * (2^31 - 1) + 5 = 2^32 + 3
  CHECK(c[15] == 1);
}

TEST_CASE("every binary16 value, from both halves, natively and portably") {
  int wrong = 0;
  for (std::uint32_t first = 0; first < 0x10000; first += 64) {
    std::uint32_t low[64], high[64];
    for (std::uint32_t i = 0; i < 64; ++i) {
      low[i] = (first + i) | 0xdead0000u;
      high[i] = (first + i) << 16 | 0xbeefu;
    }
    float lines[4][64];
    widen_f16(low, 0, lines[0]);
    widen_f16(high, 16, lines[1]);
    widen_f16_portable(low, 0, lines[2]);
    widen_f16_portable(high, 16, lines[3]);
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint32_t code = first + i;
      const int exponent = int(code >> 10 & 31);
      const double mantissa = code & 0x3ff;
      double expected = exponent == 0    ? std::ldexp(mantissa, -24)
                        : exponent != 31 ? std::ldexp(1024 + mantissa, exponent - 25)
                        : mantissa == 0  ? std::numeric_limits<double>::infinity()
                                         : std::nan("");
      expected = code & 0x8000 ? -expected : expected;
      for (const auto& line : lines)
        wrong += !same(line[i], float(expected));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("8, 6 and 4-bit formats: the limits of the guides' tables") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(float_from_fp8_ocp(0x7e) == 448.0f);
  CHECK(float_from_fp8_ocp(0x08) == 0x1p-6f);
  CHECK(float_from_fp8_ocp(0x81) == -0x1p-9f);
  CHECK(std::isnan(float_from_fp8_ocp(0x7f)));
  CHECK(std::isnan(float_from_fp8_ocp(0xff)));
  CHECK(std::signbit(float_from_fp8_ocp(0x80)));
  CHECK(float_from_bf8_ocp(0x7b) == 57344.0f);
  CHECK(float_from_bf8_ocp(0x7c) == infinity);
  CHECK(float_from_bf8_ocp(0xfc) == -infinity);
  CHECK(std::isnan(float_from_bf8_ocp(0x7d)));
  CHECK(float_from_bf8_ocp(0x04) == 0x1p-14f);
  CHECK(float_from_bf8_ocp(0x01) == 0x1p-16f);
  CHECK(float_from_fp8_fnuz(0x7f) == 240.0f);
  CHECK(float_from_fp8_fnuz(0x01) == 0x1p-10f);
  CHECK(float_from_fp8_fnuz(0x38) == 0.5f);
  CHECK(std::isnan(float_from_fp8_fnuz(0x80)));
  CHECK(float_from_bf8_fnuz(0x7f) == 57344.0f);
  CHECK(float_from_bf8_fnuz(0x01) == 0x1p-17f);
  CHECK(std::isnan(float_from_bf8_fnuz(0x80)));
  const float fp4[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (std::uint32_t code = 0; code < 8; ++code) {
    CHECK(float_from_fp4(code) == fp4[code]);
    CHECK(float_from_fp4(code | 8) == -fp4[code]);
  }
  CHECK(float_from_fp6(0x1f) == 7.5f);
  CHECK(float_from_fp6(0x08) == 1.0f);
  CHECK(float_from_fp6(0x01) == 0.125f);
  CHECK(float_from_fp6(0x3f) == -7.5f);
  CHECK(float_from_bf6(0x1f) == 28.0f);
  CHECK(float_from_bf6(0x04) == 0.25f);
  CHECK(float_from_bf6(0x01) == 0.0625f);
}
