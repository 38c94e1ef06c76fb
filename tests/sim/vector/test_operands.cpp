// What is the same for every operation: constants, modifiers, EXEC, MODE.

#include <doctest/doctest.h>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("constants take the format of the operand") {
  VectorCase machine;
  SUBCASE("f32") {
    CHECK(machine.apply("v_add_f32_e32 v0, 1.0, v1", bits(2.0F)) == bits(3.0F));
    CHECK(machine.apply("v_mul_f32_e32 v0, 0.15915494, v1", bits(1.0F)) == 0x3e22f983);
    CHECK(machine.apply("v_mul_f32_e32 v0, 0x40490fdb, v1", bits(1.0F)) == 0x40490fdb);
    // An integer constant of a floating-point operand is a bit pattern.
    CHECK(machine.apply("v_add_f32_e32 v0, 1, v1", 0) == 1);
    CHECK(machine.apply("v_max_f32_e32 v0, -4.0, v1", bits(-5.0F)) == bits(-4.0F));
  }
  SUBCASE("f16") {
    CHECK(machine.apply("v_add_f16_e32 v0, 1.0, v1", 0x4000) == 0x4200);
    CHECK(machine.apply("v_mul_f16_e32 v0, 0.15915494, v1", 0x3c00) == 0x3118);
    CHECK(machine.apply("v_add_f16_e32 v0, 1, v1", 0) == 1);
  }
  SUBCASE("f64") {
    CHECK(machine.apply_wide("v_add_f64 v[0:1], 0.5, v[2:3]", bits(2.0)) == bits(2.5));
    CHECK(machine.apply_wide("v_mul_f64 v[0:1], 0.15915494309189532, v[2:3]", bits(1.0)) == 0x3fc45f306dc9c882);
    // A literal is the upper half, a small integer is sign-extended.
    CHECK(machine.apply_wide("v_floor_f64_e32 v[0:1], 0x40091eb8", 0) == bits(3.0));
    CHECK(machine.apply_wide("v_max_f64 v[0:1], 1, v[2:3]", 0) == 1);
  }
  SUBCASE("integers") {
    CHECK(machine.apply("v_add_u32_e32 v0, -1, v1", 5) == 4);
    CHECK(machine.apply("v_or_b32_e32 v0, 1.0, v1", 1) == 0x3f800001);
    CHECK(machine.apply("v_and_b32_e32 v0, 0x12345678, v1", 0xffff0000) == 0x12340000);
    CHECK(machine.apply_wide("v_lshlrev_b64 v[0:1], 4, -1", 0) == 0xfffffffffffffff0);
    CHECK(machine.apply_wide("v_mov_b64_e32 v[0:1], 0xfedcba98", 0) == 0xfedcba98);
    CHECK(machine.apply_wide("v_mov_b64_e32 v[0:1], -2", 0) == 0xfffffffffffffffe);
    CHECK(machine.apply_wide("v_mov_b64_e32 v[0:1], 1.0", 0) == bits(1.0));
    CHECK(machine.apply_wide("v_lshl_add_u64 v[0:1], v[2:3], 3, 64", 0x1111) == 0x8888 + 64);
  }
}

TEST_CASE("scalar registers are the same in every lane") {
  VectorCase machine;
  machine.wave().scalar[7] = 41;
  machine.wave().scalar[k_m0] = 100;
  machine.wave().set_scalar64(8, 0x0000000500000000);
  machine.fill(1, 1);
  machine.run("v_add_u32_e32 v0, s7, v1");
  CHECK(machine.lane(0, 0) == 42);
  CHECK(machine.lane(0, 63) == 42);
  CHECK(machine.apply("v_add_u32_e32 v0, m0, v1", 1) == 101);
  CHECK(machine.apply_wide("v_lshl_add_u64 v[0:1], s[8:9], 1, v[2:3]", 2) == 0x0000000a00000002);
  machine.wave().set_vcc(0x100000002);
  CHECK(machine.apply("v_mov_b32_e32 v0, vcc_hi", 0) == 1);
}

TEST_CASE("aperture registers are 64 bits wide, and their lower half is 0") {
  VectorCase machine;
  CHECK(machine.apply_wide("v_mov_b64_e32 v[0:1], src_shared_base", 0) == k_shared_aperture_base);
  CHECK(machine.apply_wide("v_mov_b64_e32 v[0:1], src_private_base", 0) == k_private_aperture_base);
  CHECK(machine.apply("v_mov_b32_e32 v0, src_shared_base", 0) == 0);
}

TEST_CASE("negation and absolute value change the sign bit only") {
  VectorCase machine;
  CHECK(machine.apply_float("v_add_f32_e64 v0, -v1, v2", 1.0F, 3.0F) == bits(2.0F));
  CHECK(machine.apply_float("v_add_f32_e64 v0, |v1|, v2", -1.0F, 3.0F) == bits(4.0F));
  CHECK(machine.apply_float("v_mul_f32_e64 v0, -|v1|, -v2", 2.0F, 3.0F) == bits(6.0F));
  CHECK(machine.apply("v_max_f32_e64 v0, -v1, -v1", 0) == 0x80000000);
  CHECK(machine.apply("v_add_f16_e64 v0, -v1, |v2|", 0x3c00, 0xc200) == 0x4000);
  CHECK(machine.apply_wide("v_add_f64 v[0:1], -v[2:3], |v[4:5]|", bits(1.0), bits(-5.0)) == bits(4.0));
  machine.wave().set_scalar64(8, 0);
  CHECK(machine.apply("v_cndmask_b32_e64 v0, -v1, v2, s[8:9]", 0x7fc00001) == 0xffc00001);
  machine.wave().scalar[3] = bits(2.0F);
  CHECK(machine.apply_float("v_fma_f32 v0, -s3, v1, |v2|", 3.0F, -10.0F) == bits(4.0F));
}

TEST_CASE("only lanes in EXEC are written") {
  VectorCase machine;
  machine.fill(0, k_untouched);
  machine.fill(1, 7);
  const std::uint64_t exec = 0x8000000000f0000dU;
  machine.wave().set_exec(exec);
  SUBCASE("32 bits") {
    machine.run("v_mov_b32_e32 v0, v1");
    for (unsigned lane = 0; lane < 64; ++lane)
      CHECK(machine.lane(0, lane) == (((exec >> lane) & 1) != 0 ? 7 : k_untouched));
  }
  SUBCASE("64 bits") {
    machine.fill_wide(2, 0x1234567890abcdef);
    machine.fill_wide(4, 0xcdcdcdcdcdcdcdcd);
    machine.run("v_mov_b64_e32 v[4:5], v[2:3]");
    CHECK(machine.wide(4, 0) == 0x1234567890abcdef);
    CHECK(machine.wide(4, 1) == 0xcdcdcdcdcdcdcdcd);
    CHECK(machine.wide(4, 63) == 0x1234567890abcdef);
  }
  SUBCASE("none") {
    machine.wave().set_exec(0);
    machine.run("v_mov_b32_e32 v0, v1");
    for (unsigned lane = 0; lane < 64; ++lane)
      CHECK(machine.lane(0, lane) == k_untouched);
  }
}

TEST_CASE("clamp brings results into [0, 1]") {
  VectorCase machine;
  CHECK(machine.apply_float("v_add_f32_e64 v0, v1, v2 clamp", 0.75F, 0.5F) == bits(1.0F));
  CHECK(machine.apply_float("v_add_f32_e64 v0, v1, v2 clamp", 0.25F, 0.5F) == bits(0.75F));
  CHECK(machine.apply_float("v_add_f32_e64 v0, v1, v2 clamp", -0.75F, 0.5F) == 0);
  CHECK(machine.apply_float("v_mul_f32_e64 v0, v1, v2 clamp", -0.0F, 0.5F) == 0);
  CHECK(machine.apply("v_add_f16_e64 v0, v1, v2 clamp", 0x3c00, 0x3c00) == 0x3c00);
  CHECK(machine.apply_wide("v_add_f64 v[0:1], v[2:3], v[4:5] clamp", bits(5.0), bits(1.0)) == bits(1.0));
  SUBCASE("a NaN becomes 0 under DX10_CLAMP") {
    CHECK(machine.apply_float("v_add_f32_e64 v0, v1, v2 clamp", NAN, 0.5F) == 0);
    machine.wave().mode &= ~0x100U;
    CHECK(std::isnan(as_float(machine.apply_float("v_add_f32_e64 v0, v1, v2 clamp", NAN, 0.5F))));
  }
}

TEST_CASE("the output multiplier works only without IEEE mode and without denormal results") {
  VectorCase machine;
  const char* text = "v_add_f32_e64 v0, v1, v2 mul:4";
  CHECK(machine.apply_float(text, 1.0F, 2.0F) == bits(3.0F));
  machine.wave().mode = 0x1c0; // f32 denormals flushed, IEEE off
  CHECK(machine.apply_float(text, 1.0F, 2.0F) == bits(12.0F));
  CHECK(machine.apply_float("v_add_f32_e64 v0, v1, v2 mul:2", 1.0F, 2.0F) == bits(6.0F));
  CHECK(machine.apply_float("v_add_f32_e64 v0, v1, v2 div:2", 1.0F, 2.0F) == bits(1.5F));
  machine.wave().mode = 0x3c0; // IEEE on
  CHECK(machine.apply_float(text, 1.0F, 2.0F) == bits(3.0F));
}

TEST_CASE("MODE decides about denormals") {
  VectorCase machine;
  const std::uint32_t denormal = 0x00400000;
  CHECK(machine.apply("v_add_f32_e32 v0, v1, v2", denormal, 0) == denormal);
  CHECK(machine.apply_float("v_mul_f32_e32 v0, v1, v2", 0x1p-100F, 0x1p-40F) == bits(0x1p-140F));
  SUBCASE("f32 flushed") {
    machine.wave().mode = 0x3c0;
    CHECK(machine.apply("v_add_f32_e32 v0, v1, v2", denormal, 0) == 0);
    CHECK(machine.apply("v_add_f32_e32 v0, v1, v2", denormal | 0x80000000, 0x80000000) == 0x80000000);
    CHECK(machine.apply_float("v_mul_f32_e32 v0, v1, v2", -0x1p-100F, 0x1p-40F) == 0x80000000);
    CHECK(machine.apply("v_max_f32_e32 v0, v1, v1", denormal) == 0);
    CHECK(machine.apply("v_mov_b32_e32 v0, v1", denormal) == denormal); // moves no number
    CHECK(machine.apply("v_add_f16_e32 v0, v1, v2", 0x0001, 0) == 0x0001);
    CHECK(machine.apply("v_cmp_eq_f32_e32 vcc, 0, v1\n v_mov_b32_e32 v0, vcc_lo", denormal) == 0xffffffff);
  }
  SUBCASE("inputs only") {
    machine.wave().mode = 0x3e0; // bit 5 set: results are kept
    CHECK(machine.apply("v_add_f32_e32 v0, v1, v2", denormal, 0) == 0);
    CHECK(machine.apply_float("v_mul_f32_e32 v0, v1, v2", 0x1p-100F, 0x1p-40F) == bits(0x1p-140F));
  }
  SUBCASE("f16 and f64 flushed") {
    machine.wave().mode = 0x330;
    CHECK(machine.apply("v_add_f16_e32 v0, v1, v2", 0x0001, 0) == 0);
    CHECK(machine.apply("v_mul_f16_e32 v0, v1, v2", 0x0400, 0xb800) == 0x8000);
    CHECK(machine.apply("v_cvt_f32_f16_e32 v0, v1", 0x0001) == 0);
    CHECK(machine.apply_wide("v_add_f64 v[0:1], v[2:3], v[4:5]", 1, 0) == 0);
    CHECK(machine.apply("v_add_f32_e32 v0, v1, v2", denormal, 0) == denormal);
  }
}

TEST_CASE("MODE decides about rounding, for f32 and for f16 with f64 apart") {
  VectorCase machine;
  const float small = 0x1p-30F;
  const float next = 1.0F + 0x1p-23F;
  const float previous = 1.0F - 0x1p-24F;
  struct Expectation {
    std::uint32_t rounding;
    float sum, difference, negated_sum;
    std::uint32_t half_sum;
    double wide_sum;
  };
  const Expectation expectations[] = {
      {0, 1.0F, 1.0F, -1.0F, 0x3c00, 1.0},
      {1, next, 1.0F, -1.0F, 0x3c01, 1.0 + 0x1p-52},
      {2, 1.0F, previous, -next, 0x3c00, 1.0},
      {3, 1.0F, previous, -1.0F, 0x3c00, 1.0},
  };
  for (const Expectation& e : expectations) {
    CAPTURE(e.rounding);
    machine.wave().mode = 0x3f0 | e.rounding;
    CHECK(machine.apply_float("v_add_f32_e32 v0, v1, v2", 1.0F, small) == bits(e.sum));
    CHECK(machine.apply_float("v_sub_f32_e32 v0, v1, v2", 1.0F, small) == bits(e.difference));
    CHECK(machine.apply_float("v_add_f32_e64 v0, -v1, -v2", 1.0F, small) == bits(e.negated_sum));
    CHECK(machine.apply_float("v_fma_f32 v0, v1, v1, v2", 1.0F, small) == bits(e.sum));
    // The f16 rounding is still to nearest.
    CHECK(machine.apply("v_add_f16_e32 v0, v1, v2", 0x3c00, 0x0400) == 0x3c00);
    machine.wave().mode = 0x3f0 | e.rounding << 2;
    CHECK(machine.apply("v_add_f16_e32 v0, v1, v2", 0x3c00, 0x0400) == e.half_sum);
    CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", next) == e.half_sum);
    CHECK(machine.apply_wide("v_add_f64 v[0:1], v[2:3], v[4:5]", bits(1.0), bits(0x1p-70)) == bits(e.wide_sum));
    CHECK(machine.apply_float("v_add_f32_e32 v0, v1, v2", 1.0F, small) == bits(1.0F));
    CHECK(machine.apply_float("v_rndne_f32_e32 v0, v1", 2.5F) == bits(2.0F));
  }
  machine.wave().mode = 0x3f0;
  CHECK(machine.apply_float("v_add_f32_e32 v0, v1, v2", 1.0F, small) == bits(1.0F)); // the host is as before
}

TEST_CASE("s_set_gpr_idx_on moves the operands that M0 names") {
  VectorCase machine;
  machine.fill(1, 11);
  machine.fill(4, 44);
  machine.fill(6, k_untouched);
  machine.wave().mode |= 1U << 27;
  machine.wave().scalar[k_m0] = 3 | 1U << 12; // source 0
  machine.run("v_mov_b32_e32 v6, v1");
  CHECK(machine.lane(6) == 44);
  machine.wave().scalar[k_m0] = 3 | 1U << 15; // destination
  machine.run("v_mov_b32_e32 v6, v1");
  CHECK(machine.lane(9) == 11);
  machine.wave().scalar[k_m0] = 255 | 1U << 12;
  const Fault fault = machine.run_to_fault("v_mov_b32_e32 v6, v1");
  CHECK(fault.kind == FaultKind::unsupported_operand);
}

TEST_CASE("op_sel picks halves of 16-bit operands and of the destination") {
  VectorCase machine;
  const std::uint32_t a = 0x40003c00; // 2.0, 1.0
  CHECK(machine.apply("v_fma_f16 v0, v1, v2, v3", a, 0x4200, 0) == 0xcdcd4200);
  CHECK(machine.apply("v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0,0]", a, 0x4200, 0) == 0xcdcd4600);
  CHECK(machine.apply("v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0,1]", a, 0x4200, 0) == 0x4600cdcd);
  CHECK(machine.apply("v_mad_u16 v0, v1, v2, v3 op_sel:[0,1,0,1]", 3, 0x00050000, 1) == 0x0010cdcd);
  CHECK(machine.apply("v_add_i16 v0, v1, v2 op_sel:[1,0,1]", 0x00070000, 1) == 0x0008cdcd);
  CHECK(machine.apply("v_pack_b32_f16 v0, v1, v2 op_sel:[1,0,0]", 0x12340000, 0xffff5678) == 0x56781234);
}

TEST_CASE("16-bit results clear the upper half or keep it, as GFX9 does") {
  VectorCase machine;
  CHECK(machine.apply("v_add_f16_e32 v0, v1, v2", 0xffff3c00, 0xffff3c00) == 0x00004000);
  CHECK(machine.apply("v_add_u16_e32 v0, v1, v2", 0xffff0001, 0xffff0002) == 3);
  CHECK(machine.apply("v_cvt_f16_f32_e32 v0, v1", bits(1.0F)) == 0x3c00);
  CHECK(machine.apply("v_mad_legacy_u16 v0, v1, v2, v3", 2, 3, 4) == 10);
  CHECK(machine.apply("v_mad_u16 v0, v1, v2, v3", 2, 3, 4) == 0xcdcd000a);
  CHECK(machine.apply("v_med3_i16 v0, v1, v2, v3", 1, 2, 3) == 0xcdcd0002);
}
