#include <doctest/doctest.h>

#include <cmath>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint32_t k_signalling = 0x7f800001;
constexpr std::uint32_t k_quiet = 0x7fc00002;
constexpr std::uint32_t k_negative_zero = 0x80000000;

} // namespace

TEST_CASE("a number beats a quiet NaN, zeros are ordered by sign") {
  VectorCase machine;
  for (const bool ieee : {true, false}) {
    CAPTURE(ieee);
    machine.wave().mode = ieee ? 0x3f0 : 0x1f0;
    CHECK(machine.apply_float("v_max_f32_e32 v0, v1, v2", 1.0F, 2.0F) == bits(2.0F));
    CHECK(machine.apply_float("v_min_f32_e32 v0, v1, v2", 1.0F, 2.0F) == bits(1.0F));
    CHECK(machine.apply_float("v_max_f32_e32 v0, v1, v2", -1.0F, -2.0F) == bits(-1.0F));
    CHECK(machine.apply("v_max_f32_e32 v0, v1, v2", k_quiet, bits(-5.0F)) == bits(-5.0F));
    CHECK(machine.apply("v_max_f32_e32 v0, v1, v2", bits(-5.0F), k_quiet) == bits(-5.0F));
    CHECK(machine.apply("v_min_f32_e32 v0, v1, v2", k_quiet, k_quiet) == k_quiet);
    CHECK(machine.apply("v_max_f32_e32 v0, v1, v2", 0, k_negative_zero) == 0);
    CHECK(machine.apply("v_max_f32_e32 v0, v1, v2", k_negative_zero, 0) == 0);
    CHECK(machine.apply("v_min_f32_e32 v0, v1, v2", 0, k_negative_zero) == k_negative_zero);
    CHECK(machine.apply("v_min_f32_e32 v0, v1, v2", k_negative_zero, 0) == k_negative_zero);
    CHECK(machine.apply_float("v_max_f32_e32 v0, v1, v2", -INFINITY, -3.0F) == bits(-3.0F));
    CHECK(machine.apply_float("v_min_f32_e32 v0, v1, v2", INFINITY, 3.0F) == bits(3.0F));
  }
}

TEST_CASE("IEEE mode lets a signalling NaN win, made quiet") {
  VectorCase machine;
  CHECK(machine.apply("v_max_f32_e32 v0, v1, v2", k_signalling, bits(1.0F)) == 0x7fc00001);
  CHECK(machine.apply("v_min_f32_e32 v0, v1, v2", bits(1.0F), k_signalling) == 0x7fc00001);
  CHECK(machine.apply_wide("v_max_f64 v[0:1], v[2:3], v[4:5]", 0x7ff0000000000001, bits(1.0)) == 0x7ff8000000000001);
  CHECK(machine.apply("v_max_f16_e32 v0, v1, v2", 0x7c01, 0x3c00) == 0x7e01);
  machine.wave().mode = 0x1f0;
  CHECK(machine.apply("v_max_f32_e32 v0, v1, v2", k_signalling, bits(1.0F)) == bits(1.0F));
  CHECK(machine.apply("v_min_f16_e32 v0, v1, v2", 0x3c00, 0x7c01) == 0x3c00);
}

TEST_CASE("three operands") {
  VectorCase machine;
  CHECK(machine.apply_float("v_max3_f32 v0, v1, v2, v3", 1.0F, 3.0F, 2.0F) == bits(3.0F));
  CHECK(machine.apply_float("v_min3_f32 v0, v1, v2, v3", 1.0F, -3.0F, 2.0F) == bits(-3.0F));
  CHECK(machine.apply("v_max3_f32 v0, v1, v2, v3", k_quiet, k_quiet, bits(-1.0F)) == bits(-1.0F));
  CHECK(machine.apply_float("v_max3_f32 v0, |v1|, v2, v3", -9.0F, 3.0F, 2.0F) == bits(9.0F));
  CHECK(machine.apply("v_max3_f16 v0, v1, v2, v3", 0x3c00, 0x4000, 0xc400) == 0xcdcd4000);
  CHECK(machine.apply("v_min3_f16 v0, v1, v2, v3", 0x3c00, 0x4000, 0xc400) == 0xcdcdc400);
}

TEST_CASE("v_med3 is the middle, and the smallest with a NaN") {
  VectorCase machine;
  const float values[3] = {-1.0F, 2.0F, 5.0F};
  const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders)
    CHECK(machine.apply_float("v_med3_f32 v0, v1, v2, v3", values[order[0]], values[order[1]], values[order[2]]) ==
          bits(2.0F));
  CHECK(machine.apply_float("v_med3_f32 v0, v1, v2, v3", 3.0F, 3.0F, 1.0F) == bits(3.0F));
  CHECK(machine.apply("v_med3_f32 v0, v1, v2, v3", k_quiet, bits(4.0F), bits(2.0F)) == bits(2.0F));
  // The clamp to [0, 1] that compilers write.
  CHECK(machine.apply_float("v_med3_f32 v0, v1, 0, 1.0", 7.0F) == bits(1.0F));
  CHECK(machine.apply_float("v_med3_f32 v0, v1, 0, 1.0", -7.0F) == 0);
  CHECK(machine.apply("v_med3_f16 v0, v1, v2, v3", 0x4200, 0x3c00, 0x4000) == 0xcdcd4000);
}

TEST_CASE("minimum and maximum of IEEE 754-2019 keep NaNs") {
  VectorCase machine(Target::gfx950);
  CHECK(machine.apply_float("v_maximum3_f32 v0, v1, v2, v3", 1.0F, 3.0F, 2.0F) == bits(3.0F));
  CHECK(machine.apply_float("v_minimum3_f32 v0, v1, v2, v3", 1.0F, 3.0F, 2.0F) == bits(1.0F));
  CHECK(machine.apply("v_maximum3_f32 v0, v1, v2, v3", bits(1.0F), k_quiet, bits(2.0F)) == k_quiet);
  CHECK(machine.apply("v_minimum3_f32 v0, v1, v2, v3", bits(1.0F), bits(2.0F), k_signalling) == 0x7fc00001);
  CHECK(machine.apply("v_maximum3_f32 v0, v1, v2, v3", k_negative_zero, 0, k_negative_zero) == 0);
  CHECK(machine.apply("v_minimum3_f32 v0, v1, v2, v3", 0, k_negative_zero, 0) == k_negative_zero);
  CHECK(machine.apply("v_pk_maximum3_f16 v0, v1, v2, v3", 0x3c004000, 0x7e004200, 0x00003c00) == 0x7e004200);
  CHECK(machine.apply("v_pk_minimum3_f16 v0, v1, v2, v3", 0x3c004000, 0x40004200, 0x80003c00) == 0x80003c00);
}
