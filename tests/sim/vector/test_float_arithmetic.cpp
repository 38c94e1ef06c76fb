#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint32_t k_quiet = 0x7fc00000;

bool is_quiet_nan(std::uint32_t value) {
  return std::isnan(as_float(value)) && (value & 0x00400000) != 0;
}

} // namespace

TEST_CASE("f32 sums and products are IEEE") {
  VectorCase machine;
  CHECK(machine.apply_float("v_add_f32_e32 v0, v1, v2", 1.5F, 2.25F) == bits(3.75F));
  CHECK(machine.apply_float("v_sub_f32_e32 v0, v1, v2", 1.5F, 2.25F) == bits(-0.75F));
  CHECK(machine.apply_float("v_subrev_f32_e32 v0, v1, v2", 1.5F, 2.25F) == bits(0.75F));
  CHECK(machine.apply_float("v_mul_f32_e32 v0, v1, v2", -1.5F, 2.0F) == bits(-3.0F));
  CHECK(machine.apply_float("v_add_f32_e32 v0, v1, v2", -0.0F, -0.0F) == 0x80000000);
  CHECK(machine.apply_float("v_sub_f32_e32 v0, v1, v2", 1.0F, 1.0F) == 0);
  CHECK(machine.apply_float("v_mul_f32_e32 v0, v1, v2", 0x1p100F, 0x1p100F) == 0x7f800000);
  CHECK(machine.apply_float("v_mul_f32_e32 v0, v1, v2", 0x1p-100F, -0x1p-49F) == 0x80000001);
  CHECK(machine.apply_float("v_mul_f32_e32 v0, v1, v2", 0x1p-100F, 0x1p-50F) == 0); // a tie, to even
  CHECK(machine.apply_float("v_mul_legacy_f32 v0, v1, v2", 0.0F, INFINITY) == 0);
  CHECK(machine.apply_float("v_mul_legacy_f32 v0, v1, v2", 3.0F, 2.0F) == bits(6.0F));
}

TEST_CASE("NaNs come out quiet") {
  VectorCase machine;
  CHECK(is_quiet_nan(machine.apply("v_add_f32_e32 v0, v1, v2", 0x7f800001, bits(1.0F))));
  CHECK(is_quiet_nan(machine.apply("v_mul_f32_e32 v0, v1, v2", bits(1.0F), 0xff800005)));
  CHECK(is_quiet_nan(machine.apply("v_fma_f32 v0, v1, v2, v3", bits(1.0F), bits(1.0F), 0x7fa00000)));
  CHECK(is_quiet_nan(machine.apply("v_add_f32_e32 v0, v1, v2", 0x7f800000, 0xff800000)));
  CHECK(is_quiet_nan(machine.apply("v_mul_f32_e32 v0, v1, v2", 0x7f800000, 0)));
  CHECK(machine.apply("v_mov_b32_e32 v0, v1", 0x7f800001) == 0x7f800001); // a move does not look
}

TEST_CASE("fused multiply-add rounds once") {
  VectorCase machine;
  const float a = 1.0F + 0x1p-12F;
  // a * a = 1 + 2^-11 + 2^-24: the last term is lost by a rounded product.
  CHECK(machine.apply_float("v_fma_f32 v0, v1, v1, v2", a, -(1.0F + 0x1p-11F)) == bits(0x1p-24F));
  CHECK(machine.apply_float("v_fmac_f32_e32 v0, v1, v1", a) != 0);
  machine.fill(0, bits(-(1.0F + 0x1p-11F)));
  machine.fill(1, bits(a));
  machine.run("v_fmac_f32_e32 v0, v1, v1");
  CHECK(machine.lane(0) == bits(0x1p-24F));
  CHECK(machine.apply_float("v_fmaak_f32 v0, v1, v2, 0x40400000", 2.0F, 5.0F) == bits(13.0F));
  CHECK(machine.apply_float("v_fmamk_f32 v0, v1, 0x40400000, v2", 2.0F, 5.0F) == bits(11.0F));
  CHECK(machine.apply_wide("v_fma_f64 v[0:1], v[2:3], v[2:3], v[4:5]", bits(1.0 + 0x1p-30), bits(-(1.0 + 0x1p-29))) ==
        bits(0x1p-60));
  machine.fill_wide(0, bits(0.5));
  machine.fill_wide(2, bits(3.0));
  machine.run("v_fmac_f64_e32 v[0:1], v[2:3], v[2:3]");
  CHECK(machine.wide(0) == bits(9.5));
}

TEST_CASE("random f32 fused multiply-adds against exact sums") {
  // With 12-bit factors and nearby exponents the product and the sum are exact in double.
  std::mt19937 random(7);
  VectorCase machine;
  const auto number = [&](int digits) {
    const float scale = std::ldexp(1.0F, int(random() % 9) - 4);
    return (float(random() % (1U << digits)) - float(1U << (digits - 1))) * scale;
  };
  for (int round = 0; round < 20; ++round) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      machine.wave().vector[1][lane] = bits(number(12));
      machine.wave().vector[2][lane] = bits(number(12));
      machine.wave().vector[3][lane] = bits(number(24));
    }
    machine.run("v_fma_f32 v0, v1, v2, v3");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const double exact = double(as_float(machine.lane(1, lane))) * double(as_float(machine.lane(2, lane))) +
                           double(as_float(machine.lane(3, lane)));
      CHECK(machine.lane(0, lane) == bits(float(exact)));
    }
  }
}

TEST_CASE("f64") {
  VectorCase machine;
  CHECK(machine.apply_wide("v_add_f64 v[0:1], v[2:3], v[4:5]", bits(0.1), bits(0.2)) == bits(0.1 + 0.2));
  CHECK(machine.apply_wide("v_mul_f64 v[0:1], v[2:3], v[4:5]", bits(0.1), bits(3.0)) == bits(0.1 * 3.0));
  CHECK(machine.apply_wide("v_mul_f64 v[0:1], v[2:3], v[4:5]", bits(0x1p-1000), bits(0x1p-74)) == 1);
}

TEST_CASE("f16 sums and products on random pairs, each rounded once") {
  std::mt19937 random(11);
  VectorCase machine;
  for (int round = 0; round < 40; ++round) {
    machine.set_each(1, [&](unsigned) { return random(); });
    machine.set_each(2, [&](unsigned) { return random(); });
    machine.run("v_add_f16_e32 v3, v1, v2\n v_sub_f16_e32 v4, v1, v2\n v_subrev_f16_e32 v5, v1, v2\n"
                "v_mul_f16_e32 v6, v1, v2\n");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const double a = half_value(machine.lane(1, lane) & 0xffff);
      const double b = half_value(machine.lane(2, lane) & 0xffff);
      if (std::isnan(a) || std::isnan(b) || std::isinf(a) || std::isinf(b))
        continue;
      CAPTURE(a);
      CAPTURE(b);
      const auto equal = [](std::uint32_t result, double exact) {
        return exact == 0 ? (result & 0x7fff) == 0 : result == half_bits(exact);
      };
      CHECK(equal(machine.lane(3, lane), a + b));
      CHECK(equal(machine.lane(4, lane), a - b));
      CHECK(equal(machine.lane(5, lane), b - a));
      CHECK(equal(machine.lane(6, lane), a * b));
    }
  }
  CHECK(machine.apply("v_add_f16_e32 v0, v1, v2", 0x7bff, 0x7bff) == 0x7c00);
  CHECK(machine.apply("v_add_f16_e32 v0, v1, v2", 0x7c01, 0x3c00) == 0x7e01);
  CHECK(machine.apply("v_mul_f16_e32 v0, v1, v2", 0x8000, 0x3c00) == 0x8000);
}

TEST_CASE("f16 fused multiply-adds round once, random and at ties") {
  std::mt19937 random(13);
  VectorCase machine;
  for (int round = 0; round < 60; ++round) {
    machine.set_each(1, [&](unsigned) { return random() & 0xffff; });
    machine.set_each(2, [&](unsigned) { return random() & 0xffff; });
    // An addend that often cancels the product or is far away from it.
    machine.set_each(3, [&](unsigned lane) {
      const double product = half_value(machine.lane(1, lane)) * half_value(machine.lane(2, lane));
      return lane % 2 == 0 && !std::isnan(product) ? half_bits(-product) : random() & 0xffff;
    });
    machine.run("v_fma_legacy_f16 v0, v1, v2, v3");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const long double a = half_value(machine.lane(1, lane));
      const long double b = half_value(machine.lane(2, lane));
      const long double c = half_value(machine.lane(3, lane));
      // 64 digits hold every such sum: 22 digits of product and 11 of addend between 2^-48 and 2^16.
      const long double exact = a * b + c;
      if (!std::isfinite(exact) || exact == 0 || double(exact) != exact)
        continue;
      CHECK(machine.lane(0, lane) == half_bits(double(exact)));
    }
  }
  // 1 + 2^-11, a tie of f16, and 2^-24 more or less.
  CHECK(machine.apply("v_fma_legacy_f16 v0, v1, v2, v3", 0x3c01, 0x3800, 0x3800) == 0x3c00);
  const std::uint32_t a = half_bits(0x1.004p0);
  const std::uint32_t b = half_bits(0x1.004p-1);
  const double product = half_value(a) * half_value(b);
  CHECK(machine.apply("v_fma_legacy_f16 v0, v1, v2, v3", a, b, 0x3800) == half_bits(product + 0.5));
}

TEST_CASE("f16 multiply-add without fusion rounds the product first") {
  VectorCase machine;
  // (1 + 2^-10)^2 = 1 + 2^-9 + 2^-20; minus (1 + 2^-9): fused 2^-20, unfused 0.
  CHECK(machine.apply("v_mad_legacy_f16 v0, v1, v2, v3", 0x3c01, 0x3c01, 0xbc02) == 0);
  CHECK(machine.apply("v_fma_legacy_f16 v0, v1, v2, v3", 0x3c01, 0x3c01, 0xbc02) == half_bits(0x1p-20));
  machine.fill(0, 0x12344000);
  machine.fill(1, 0x4200);
  machine.run("v_mac_f16_e32 v0, v1, v1");
  CHECK(machine.lane(0) == (0x12340000 | half_bits(11.0)));
}

TEST_CASE("rounding to whole numbers") {
  VectorCase machine;
  const float values[] = {0.5F, 1.5F, 2.5F, -0.5F, -1.5F, -2.5F, 0.25F, -0.25F, 0x1p23F, 0x1.8p22F, 1e30F, -0.0F};
  for (const float x : values) {
    CAPTURE(x);
    CHECK(machine.apply_float("v_trunc_f32_e32 v0, v1", x) == bits(std::trunc(x)));
    CHECK(machine.apply_float("v_ceil_f32_e32 v0, v1", x) == bits(std::ceil(x)));
    CHECK(machine.apply_float("v_floor_f32_e32 v0, v1", x) == bits(std::floor(x)));
    CHECK(machine.apply_float("v_rndne_f32_e32 v0, v1", x) == bits(std::nearbyint(x)));
    CHECK(machine.apply_wide("v_rndne_f64_e32 v[0:1], v[2:3]", bits(double(x))) == bits(std::nearbyint(double(x))));
    CHECK(machine.apply_wide("v_floor_f64_e32 v[0:1], v[2:3]", bits(double(x))) == bits(std::floor(double(x))));
  }
  CHECK(machine.apply("v_rndne_f16_e32 v0, v1", half_bits(2.5)) == half_bits(2.0));
  CHECK(machine.apply("v_ceil_f16_e32 v0, v1", half_bits(-0.5)) == 0x8000);
  CHECK(machine.apply("v_trunc_f16_e32 v0, v1", half_bits(-7.75)) == half_bits(-7.0));
}

TEST_CASE("fractions stay below 1") {
  VectorCase machine;
  CHECK(machine.apply_float("v_fract_f32_e32 v0, v1", 2.75F) == bits(0.75F));
  CHECK(machine.apply_float("v_fract_f32_e32 v0, v1", -2.75F) == bits(0.25F));
  CHECK(machine.apply_float("v_fract_f32_e32 v0, v1", -0x1p-40F) == 0x3f7fffff);
  CHECK(machine.apply_wide("v_fract_f64_e32 v[0:1], v[2:3]", bits(-0x1p-80)) == 0x3fefffffffffffff);
  CHECK(machine.apply("v_fract_f16_e32 v0, v1", half_bits(-0x1p-20)) == 0x3bff);
  CHECK(std::isnan(as_float(machine.apply_float("v_fract_f32_e32 v0, v1", NAN))));
}

TEST_CASE("significands and exponents") {
  VectorCase machine;
  CHECK(machine.apply_float("v_frexp_exp_i32_f32_e32 v0, v1", 8.0F) == 4);
  CHECK(machine.apply_float("v_frexp_mant_f32_e32 v0, v1", -12.0F) == bits(-0.75F));
  CHECK(machine.apply("v_frexp_exp_i32_f32_e32 v0, v1", 1) == std::uint32_t(-148));
  CHECK(machine.apply("v_frexp_mant_f32_e32 v0, v1", 3) == bits(0.75F));
  CHECK(machine.apply_float("v_frexp_exp_i32_f32_e32 v0, v1", 0.0F) == 0);
  CHECK(machine.apply_float("v_frexp_exp_i32_f32_e32 v0, v1", INFINITY) == 0);
  CHECK(machine.apply_float("v_frexp_mant_f32_e32 v0, v1", -INFINITY) == 0xff800000);
  CHECK(machine.apply("v_frexp_exp_i32_f32_e32 v0, v1", k_quiet) == 0);
  CHECK(machine.apply("v_frexp_exp_i16_f16_e32 v0, v1", half_bits(0x1p-24)) == (std::uint32_t(-23) & 0xffff));
  CHECK(machine.apply("v_frexp_mant_f16_e32 v0, v1", half_bits(3.0)) == half_bits(0.75));
  machine.fill_wide(2, bits(0x1p-1074));
  machine.run("v_frexp_exp_i32_f64_e32 v0, v[2:3]\n v_frexp_mant_f64_e32 v[4:5], v[2:3]");
  CHECK(machine.lane(0) == std::uint32_t(-1073));
  CHECK(machine.wide(4) == bits(0.5));
}

TEST_CASE("scaling by powers of two") {
  VectorCase machine;
  const auto scaled = [&](float x, int n) {
    return machine.apply("v_ldexp_f32 v0, v1, v2", bits(x), std::uint32_t(n));
  };
  CHECK(scaled(1.5F, 4) == bits(24.0F));
  CHECK(scaled(1.0F, -149) == 1);
  CHECK(scaled(1.0F, -150) == 0);            // a tie, to even
  CHECK(scaled(1.0F + 0x1p-23F, -150) == 1); // above it
  CHECK(scaled(3.0F, -150) == 2);            // 1.5 units, to even
  CHECK(scaled(1.0F, 128) == 0x7f800000);
  CHECK(scaled(-1.0F, 0x7fffffff) == 0xff800000);
  CHECK(scaled(1.0F, std::int32_t(0x80000000)) == 0);
  CHECK(machine.apply("v_ldexp_f32 v0, v1, v2", 1, 149) == bits(1.0F));
  CHECK(scaled(INFINITY, -1000) == 0x7f800000);
  CHECK(machine.apply("v_ldexp_f16_e32 v0, v1, v2", 0x3c00, std::uint32_t(-24)) == 1);
  CHECK(machine.apply("v_ldexp_f16_e32 v0, v1, v2", 0x3c00, 5) == half_bits(32.0));
  machine.fill(8, std::uint32_t(-1074));
  CHECK(machine.apply_wide("v_ldexp_f64 v[0:1], v[2:3], v8", bits(1.0)) == 1);
}
