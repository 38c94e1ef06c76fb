#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// Distance in units of the last place; 0 for two NaNs.
double ulps(float result, long double exact) {
  if (std::isnan(exact))
    return std::isnan(result) ? 0 : 1e9;
  if (std::isinf(exact) || std::isinf(result))
    return (long double)result == exact || float(exact) == result ? 0 : 1e9;
  const int exponent = exact == 0 ? -126 : std::max(-126, std::ilogb(double(exact)));
  return double(std::fabs(((long double)result - exact) / std::ldexp(1.0L, exponent - 23)));
}

template <typename Reference>
void check_function(const std::string& name, float lowest, float highest, Reference reference) {
  CAPTURE(name);
  VectorCase machine;
  std::mt19937 random(29);
  std::uniform_real_distribution<float> distribution(lowest, highest);
  for (int round = 0; round < 30; ++round) {
    machine.set_each(1, [&](unsigned) { return bits(distribution(random)); });
    machine.run(name + " v0, v1");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const float x = as_float(machine.lane(1, lane));
      CAPTURE(x);
      CHECK(ulps(as_float(machine.lane(0, lane)), reference((long double)x)) <= 0.51);
    }
  }
}

} // namespace

TEST_CASE("f32 functions are the rounded values") {
  check_function("v_exp_f32_e32", -125.9F, 127.9F, [](long double x) { return std::exp2(x); });
  check_function("v_exp_f32_e32", -0.01F, 0.01F, [](long double x) { return std::exp2(x); });
  check_function("v_log_f32_e32", 1e-30F, 1e6F, [](long double x) { return std::log2(x); });
  check_function("v_log_f32_e32", 0.9F, 1.1F, [](long double x) { return std::log2(x); });
  check_function("v_rcp_f32_e32", -100.0F, 100.0F, [](long double x) { return 1 / x; });
  check_function("v_rsq_f32_e32", 1e-30F, 1e4F, [](long double x) { return 1 / std::sqrt(x); });
  check_function("v_sqrt_f32_e32", 0.0F, 1e9F, [](long double x) { return std::sqrt(x); });
}

TEST_CASE("sine and cosine take turns") {
  const long double tau = 2 * std::numbers::pi_v<long double>;
  VectorCase machine;
  std::mt19937 random(31);
  std::uniform_real_distribution<float> distribution(-300.0F, 300.0F);
  for (int round = 0; round < 30; ++round) {
    machine.set_each(1, [&](unsigned) { return bits(distribution(random)); });
    machine.run("v_sin_f32_e32 v0, v1\n v_cos_f32_e32 v2, v1");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const long double x = as_float(machine.lane(1, lane));
      CHECK(std::fabs(as_float(machine.lane(0, lane)) - std::sin(tau * x)) < 1e-7L);
      CHECK(std::fabs(as_float(machine.lane(2, lane)) - std::cos(tau * x)) < 1e-7L);
    }
  }
  // The examples of the ISA manual.
  CHECK(machine.apply("v_sin_f32_e32 v0, v1", 0xff7fffff) == 0);
  CHECK(machine.apply("v_sin_f32_e32 v0, v1", 0x80000000) == 0x80000000);
  CHECK(machine.apply("v_sin_f32_e32 v0, v1", 0x3e800000) == 0x3f800000);
  CHECK(std::isnan(as_float(machine.apply("v_sin_f32_e32 v0, v1", 0x7f800000))));
  CHECK(machine.apply("v_cos_f32_e32 v0, v1", 0xff7fffff) == 0x3f800000);
  CHECK(machine.apply("v_cos_f32_e32 v0, v1", 0x80000000) == 0x3f800000);
  CHECK(machine.apply("v_cos_f32_e32 v0, v1", 0x3e800000) == 0);
  CHECK(std::isnan(as_float(machine.apply("v_cos_f32_e32 v0, v1", 0xff800000))));
  CHECK(machine.apply("v_sin_f16_e32 v0, v1", 0x3400) == 0x3c00);
  CHECK(machine.apply("v_sin_f16_e32 v0, v1", 0x8000) == 0x8000);
  CHECK(machine.apply("v_cos_f16_e32 v0, v1", 0x7bff) == 0x3c00);
}

TEST_CASE("special arguments, by the examples of the ISA manual") {
  VectorCase machine;
  const auto is_nan = [](std::uint32_t value) { return std::isnan(as_float(value)); };
  CHECK(machine.apply("v_exp_f32_e32 v0, v1", 0xff800000) == 0);
  CHECK(machine.apply("v_exp_f32_e32 v0, v1", 0x80000000) == 0x3f800000);
  CHECK(machine.apply("v_exp_f32_e32 v0, v1", 0x7f800000) == 0x7f800000);
  CHECK(is_nan(machine.apply("v_exp_f32_e32 v0, v1", 0x7fc00000)));
  CHECK(is_nan(machine.apply("v_log_f32_e32 v0, v1", 0xff800000)));
  CHECK(is_nan(machine.apply("v_log_f32_e32 v0, v1", 0xbf800000)));
  CHECK(machine.apply("v_log_f32_e32 v0, v1", 0x80000000) == 0xff800000);
  CHECK(machine.apply("v_log_f32_e32 v0, v1", 0) == 0xff800000);
  CHECK(machine.apply("v_log_f32_e32 v0, v1", 0x3f800000) == 0);
  CHECK(machine.apply("v_log_f32_e32 v0, v1", 0x7f800000) == 0x7f800000);
  CHECK(machine.apply("v_rcp_f32_e32 v0, v1", 0xff800000) == 0x80000000);
  CHECK(machine.apply("v_rcp_f32_e32 v0, v1", 0xc0000000) == 0xbf000000);
  CHECK(machine.apply("v_rcp_f32_e32 v0, v1", 0x80000000) == 0xff800000);
  CHECK(machine.apply("v_rcp_iflag_f32_e32 v0, v1", 0) == 0x7f800000);
  CHECK(is_nan(machine.apply("v_rsq_f32_e32 v0, v1", 0xff800000)));
  CHECK(machine.apply("v_rsq_f32_e32 v0, v1", 0x80000000) == 0xff800000);
  CHECK(machine.apply("v_rsq_f32_e32 v0, v1", 0x40800000) == 0x3f000000);
  CHECK(machine.apply("v_rsq_f32_e32 v0, v1", 0x7f800000) == 0);
  CHECK(is_nan(machine.apply("v_sqrt_f32_e32 v0, v1", 0xff800000)));
  CHECK(machine.apply("v_sqrt_f32_e32 v0, v1", 0x80000000) == 0x80000000);
  CHECK(machine.apply("v_sqrt_f32_e32 v0, v1", 0x40800000) == 0x40000000);
}

TEST_CASE("the f32 units flush denormals whatever MODE says") {
  VectorCase machine;
  const std::uint32_t denormal = 0x00400000;
  CHECK(machine.apply_float("v_exp_f32_e32 v0, v1", -126.0F) == 0x00800000);
  CHECK(machine.apply_float("v_exp_f32_e32 v0, v1", -126.5F) == 0);
  CHECK(machine.apply_float("v_exp_f32_e32 v0, v1", -2000.0F) == 0);
  CHECK(machine.apply_float("v_exp_f32_e32 v0, v1", 128.0F) == 0x7f800000);
  CHECK(machine.apply("v_log_f32_e32 v0, v1", denormal) == 0xff800000);
  CHECK(machine.apply("v_rcp_f32_e32 v0, v1", denormal) == 0x7f800000);
  CHECK(machine.apply_float("v_rcp_f32_e32 v0, v1", -0x1p127F) == 0x80000000);
  CHECK(machine.apply("v_rsq_f32_e32 v0, v1", denormal) == 0x7f800000);
  CHECK(machine.apply("v_sqrt_f32_e32 v0, v1", denormal | 0x80000000) == 0x80000000);
}

TEST_CASE("f16 and f64 functions keep denormals") {
  VectorCase machine;
  CHECK(machine.apply("v_exp_f16_e32 v0, v1", half_bits(-24.0)) == 1);
  CHECK(machine.apply("v_exp_f16_e32 v0, v1", half_bits(3.0)) == half_bits(8.0));
  CHECK(machine.apply("v_exp_f16_e32 v0, v1", half_bits(16.0)) == 0x7c00);
  CHECK(machine.apply("v_log_f16_e32 v0, v1", 1) == half_bits(-24.0));
  CHECK(machine.apply("v_log_f16_e32 v0, v1", 0x8000) == 0xfc00);
  CHECK(machine.apply("v_rcp_f16_e32 v0, v1", 0xc000) == 0xb800);
  CHECK(machine.apply("v_rcp_f16_e32 v0, v1", 0x8000) == 0xfc00);
  CHECK(machine.apply("v_rcp_f16_e32 v0, v1", 0x7800) == half_bits(0x1p-15));
  CHECK(machine.apply("v_rsq_f16_e32 v0, v1", 0x4400) == 0x3800);
  CHECK(machine.apply("v_rsq_f16_e32 v0, v1", 0x0004) == half_bits(0x1p11));
  CHECK(machine.apply("v_sqrt_f16_e32 v0, v1", 0x4400) == 0x4000);
  CHECK((machine.apply("v_sqrt_f16_e32 v0, v1", 0xfc00) & 0x7fff) > 0x7c00);
  CHECK(machine.apply_wide("v_rcp_f64_e32 v[0:1], v[2:3]", bits(4.0)) == bits(0.25));
  CHECK(machine.apply_wide("v_rcp_f64_e32 v[0:1], v[2:3]", bits(-0.0)) == bits(-HUGE_VAL));
  CHECK(machine.apply_wide("v_rsq_f64_e32 v[0:1], v[2:3]", bits(16.0)) == bits(0.25));
  CHECK(machine.apply_wide("v_rsq_f64_e32 v[0:1], v[2:3]", bits(0.0)) == bits(HUGE_VAL));
  CHECK(machine.apply_wide("v_sqrt_f64_e32 v[0:1], v[2:3]", bits(2.0)) == bits(std::sqrt(2.0)));
}

TEST_CASE("exp2 as compilers expand it keeps denormal results") {
  // What exp2f becomes: below -126 the argument is raised by 64 and the result scaled back.
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return bits(-120.0F - 0.5F * float(lane)); });
  machine.run("v_mov_b32_e32 v2, 0xc2fc0000\n"
              "v_cmp_lt_f32_e32 vcc, v1, v2\n"
              "v_mov_b32_e32 v3, 0x42800000\n"
              "v_cndmask_b32_e32 v3, 0, v3, vcc\n"
              "v_add_f32_e32 v3, v1, v3\n"
              "v_exp_f32_e32 v3, v3\n"
              "v_not_b32_e32 v4, 63\n"
              "v_cndmask_b32_e32 v4, 0, v4, vcc\n"
              "v_ldexp_f32 v0, v3, v4\n");
  for (unsigned lane = 0; lane < 64; ++lane) {
    const double exact = std::exp2(-120.0 - 0.5 * lane);
    CHECK(std::fabs(as_float(machine.lane(0, lane)) - exact) <= std::max(0x1p-149, exact * 0x1p-23));
  }
}

TEST_CASE("v_trig_preop_f64 gives segments of 2/pi") {
  VectorCase machine;
  const auto segment = [&](double angle, std::uint32_t number) {
    machine.fill(8, number);
    return as_double(machine.apply_wide("v_trig_preop_f64 v[0:1], v[2:3], v8", bits(angle)));
  };
  // 2/pi = 0x0.a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe...
  CHECK(segment(1.0, 0) == 0x1.45f306dc9c882p-1);
  CHECK(segment(1.0, 0) + segment(1.0, 1) == 2.0 / std::numbers::pi);
  CHECK(segment(1.0, 1) == 0x1.4a7f09d5f47d4p-54);
  CHECK(segment(1.0, 2) == 0x1.a6ee06db14accp-107);
  // Angles of 2^55 and more skip the bits that only make whole turns: 2^100 the first 46.
  CHECK(segment(0x1p100, 0) == 0x1.529fc2757d1ep-52);
  CHECK(segment(0x1p100, 1) == 0x1.534ddc0db6295p-100);
  CHECK(segment(1.0, 31) == 0);
}
