// Division as compilers expand it must be the IEEE quotient for every pair of operands.

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// v0 = v1 / v2, the sequence that LLVM emits for f32.
const char* const k_divide_f32 = "v_div_scale_f32 v3, s[0:1], v2, v2, v1\n"
                                 "v_rcp_f32_e32 v4, v3\n"
                                 "v_fma_f32 v5, -v3, v4, 1.0\n"
                                 "v_fmac_f32_e32 v4, v5, v4\n"
                                 "v_div_scale_f32 v5, vcc, v1, v2, v1\n"
                                 "v_mul_f32_e32 v6, v5, v4\n"
                                 "v_fma_f32 v7, -v3, v6, v5\n"
                                 "v_fmac_f32_e32 v6, v7, v4\n"
                                 "v_fma_f32 v3, -v3, v6, v5\n"
                                 "v_div_fmas_f32 v3, v3, v4, v6\n"
                                 "v_div_fixup_f32 v0, v3, v2, v1\n";

// v[0:1] = v[2:3] / v[4:5], the sequence that LLVM emits for f64.
const char* const k_divide_f64 = "v_div_scale_f64 v[6:7], s[0:1], v[4:5], v[4:5], v[2:3]\n"
                                 "v_rcp_f64_e32 v[8:9], v[6:7]\n"
                                 "v_fma_f64 v[10:11], -v[6:7], v[8:9], 1.0\n"
                                 "v_fmac_f64_e32 v[8:9], v[8:9], v[10:11]\n"
                                 "v_fma_f64 v[10:11], -v[6:7], v[8:9], 1.0\n"
                                 "v_fmac_f64_e32 v[8:9], v[8:9], v[10:11]\n"
                                 "v_div_scale_f64 v[10:11], vcc, v[2:3], v[4:5], v[2:3]\n"
                                 "v_mul_f64 v[12:13], v[10:11], v[8:9]\n"
                                 "v_fma_f64 v[6:7], -v[6:7], v[12:13], v[10:11]\n"
                                 "v_div_fmas_f64 v[6:7], v[6:7], v[8:9], v[12:13]\n"
                                 "v_div_fixup_f64 v[0:1], v[6:7], v[4:5], v[2:3]\n";

constexpr float k_singles[] = {
    1.0F,     -3.0F,         0.0F,     -0.0F,     0x1p-149F, 0x1.8p-127F, 0x1p-126F, 0x1.fffffep127F,
    0x1p126F, -0x1.abcp127F, INFINITY, -INFINITY, NAN,       7.0F,        0x1p-60F,  0x1.234568p64F};

bool same(float result, float expected) {
  return std::isnan(expected) ? std::isnan(result) : bits(result) == bits(expected);
}
bool same(double result, double expected) {
  return std::isnan(expected) ? std::isnan(result) : bits(result) == bits(expected);
}

void check_f32(VectorCase& machine, const std::string& text) {
  machine.run(text);
  for (unsigned lane = 0; lane < 64; ++lane) {
    const float numerator = as_float(machine.lane(1, lane));
    const float denominator = as_float(machine.lane(2, lane));
    CAPTURE(numerator);
    CAPTURE(denominator);
    CHECK(same(as_float(machine.lane(0, lane)), numerator / denominator));
  }
}

} // namespace

TEST_CASE("f32 quotients of extreme operands") {
  VectorCase machine;
  for (unsigned base = 0; base < 256; base += 64) {
    machine.set_each(1, [base](unsigned lane) { return bits(k_singles[(base + lane) / 16]); });
    machine.set_each(2, [base](unsigned lane) { return bits(k_singles[(base + lane) % 16]); });
    check_f32(machine, k_divide_f32);
  }
}

TEST_CASE("f32 quotients of random operands, all exponents") {
  VectorCase machine;
  std::mt19937 random(17);
  for (int round = 0; round < 300; ++round) {
    machine.set_each(1, [&](unsigned) { return random(); });
    // Every fourth pair has a quotient near the smallest normal numbers, every fourth near the largest.
    machine.set_each(2, [&](unsigned lane) {
      const std::uint32_t value = random();
      const int exponent = int((machine.lane(1, lane) >> 23) & 0xff);
      const int shift = lane % 4 == 0 ? 126 : lane % 4 == 1 ? -127 : 0;
      if (shift == 0)
        return value;
      const int wanted = std::min(254, std::max(0, exponent + shift + int(random() % 30) - 15));
      return (value & 0x807fffff) | std::uint32_t(wanted) << 23;
    });
    check_f32(machine, k_divide_f32);
  }
}

TEST_CASE("f64 quotients, extreme and random") {
  VectorCase machine;
  std::mt19937_64 random(19);
  const double extremes[] = {
      1.0,      -3.0,     0.0,       -0.0, 0x1p-1074, 0x1.8p-1023, 0x1p-1022,        0x1.fffffffffffffp1023,
      0x1p1022, INFINITY, -INFINITY, NAN,  0x1p-600,  0x1.23p768,  -0x1.abcdefp-900, 10.0};
  for (int round = 0; round < 200; ++round) {
    machine.set_each_wide(
        2, [&](unsigned lane) { return round < 4 ? bits(extremes[(unsigned(round) * 64 + lane) / 16]) : random(); });
    machine.set_each_wide(4, [&](unsigned lane) {
      if (round < 4)
        return bits(extremes[lane % 16]);
      const std::uint64_t value = random();
      const int exponent = int((machine.wide(2, lane) >> 52) & 0x7ff);
      const int shift = lane % 4 == 0 ? 1022 : lane % 4 == 1 ? -1023 : 0;
      if (shift == 0)
        return value;
      const int wanted = std::min(2046, std::max(0, exponent + shift + int(random() % 60) - 30));
      return (value & 0x800fffffffffffff) | std::uint64_t(wanted) << 52;
    });
    machine.run(k_divide_f64);
    for (unsigned lane = 0; lane < 64; ++lane) {
      const double numerator = as_double(machine.wide(2, lane));
      const double denominator = as_double(machine.wide(4, lane));
      CAPTURE(numerator);
      CAPTURE(denominator);
      CHECK(same(as_double(machine.wide(0, lane)), numerator / denominator));
    }
  }
}

TEST_CASE("v_div_scale scales by the rules of the manual") {
  VectorCase machine;
  const auto scale = [&](float operand, float denominator, float numerator, std::uint64_t& flags) {
    const std::uint32_t result =
        machine.apply_float("v_div_scale_f32 v0, vcc, v1, v2, v3", operand, denominator, numerator);
    flags = machine.wave().vcc();
    return as_float(result);
  };
  std::uint64_t flags = 0;
  CHECK(scale(3.0F, 3.0F, 6.0F, flags) == 3.0F);
  CHECK(flags == 0);
  CHECK(std::isnan(scale(3.0F, 3.0F, 0.0F, flags)));
  CHECK(flags == 0);
  CHECK(scale(0x1p-30F, 0x1p-30F, 0x1p70F, flags) == 0x1p34F); // quotient may overflow: only the denominator
  CHECK(flags == ~std::uint64_t{0});
  CHECK(scale(0x1p70F, 0x1p-30F, 0x1p70F, flags) == 0x1p70F);
  CHECK(flags == ~std::uint64_t{0});
  CHECK(scale(0x1p-140F, 0x1p-140F, 0x1p-100F, flags) == 0x1p-76F); // a denormal denominator: both
  CHECK(flags == 0);
  CHECK(scale(0x1p-100F, 0x1p60F, 0x1p-100F, flags) == 0x1p-36F); // a denormal quotient: only the numerator
  CHECK(flags == ~std::uint64_t{0});
  CHECK(scale(0x1p60F, 0x1p60F, 0x1p-100F, flags) == 0x1p60F);
  CHECK(scale(0x1p127F, 0x1p127F, 0x1p10F, flags) == 0x1p63F); // the reciprocal would be denormal: both down
  CHECK(flags == 0);
  CHECK(scale(0x1p-110F, 0x1p-20F, 0x1p-110F, flags) == 0x1p-46F); // a tiny numerator: both up
  CHECK(flags == 0);
  machine.wave().set_exec(0x2);
  (void)scale(0x1p70F, 0x1p-30F, 0x1p70F, flags);
  CHECK(flags == 0x2);
}

TEST_CASE("v_div_fixup supplies the special quotients") {
  VectorCase machine;
  const auto fix = [&](float quotient, float denominator, float numerator) {
    return machine.apply_float("v_div_fixup_f32 v0, v1, v2, v3", quotient, denominator, numerator);
  };
  CHECK(fix(5.0F, 0.0F, 0.0F) == 0xffc00000);
  CHECK(fix(5.0F, INFINITY, -INFINITY) == 0xffc00000);
  CHECK(fix(5.0F, 0.0F, -1.0F) == 0xff800000);
  CHECK(fix(5.0F, -INFINITY, 1.0F) == 0x80000000);
  CHECK(fix(5.0F, 2.0F, INFINITY) == 0x7f800000);
  CHECK(fix(-5.0F, 2.0F, 10.0F) == bits(5.0F));
  CHECK(fix(5.0F, -2.0F, 10.0F) == bits(-5.0F));
  CHECK(machine.apply("v_div_fixup_f32 v0, v1, v2, v3", 0, bits(1.0F), 0x7f800001) == 0x7fc00001);
  CHECK(machine.apply("v_div_fixup_f16 v0, v1, v2, v3", 0x4500, 0, 0xbc00) == 0xcdcdfc00);
  CHECK(machine.apply("v_div_fixup_f16 v0, v1, v2, v3", 0xc500, 0x4000, 0x4900) == 0xcdcd4500);
  CHECK(machine.apply("v_div_fixup_legacy_f16 v0, v1, v2, v3", 0xc500, 0x4000, 0x4900) == 0x4500);
}

TEST_CASE("f16 quotients, as compilers expand them, over f32") {
  VectorCase machine;
  std::mt19937 random(23);
  for (int round = 0; round < 30; ++round) {
    machine.set_each(1, [&](unsigned) { return random() & 0xffff; });
    machine.set_each(2, [&](unsigned) { return random() & 0xffff; });
    // Numerator times reciprocal, with one correction as the backend does it.
    machine.run(
        "v_cvt_f32_f16_e32 v3, v1\n v_cvt_f32_f16_e32 v4, v2\n v_rcp_f32_e32 v5, v4\n v_mul_f32_e32 v6, v3, v5\n"
        "v_fma_f32 v7, -v4, v6, v3\n v_fmac_f32_e32 v6, v7, v5\n v_cvt_f16_f32_e32 v6, v6\n"
        "v_div_fixup_legacy_f16 v0, v6, v2, v1\n");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const double a = half_value(machine.lane(1, lane));
      const double b = half_value(machine.lane(2, lane));
      if (std::isnan(a / b)) {
        CHECK((machine.lane(0, lane) & 0x7fff) > 0x7c00);
        continue;
      }
      CAPTURE(a);
      CAPTURE(b);
      CHECK(machine.lane(0, lane) == half_bits(a / b));
    }
  }
}
