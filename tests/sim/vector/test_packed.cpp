// Packed pairs, mixed precision and dot products.

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

std::uint32_t pair(double low, double high) {
  return half_bits(low) | half_bits(high) << 16;
}

std::uint64_t wide_pair(float low, float high) {
  return bits(low) | std::uint64_t(bits(high)) << 32;
}

std::uint32_t bf16_pair(float low, float high) {
  return bits(low) >> 16 | (bits(high) & 0xffff0000);
}

} // namespace

TEST_CASE("packed f32") {
  VectorCase machine;
  const std::uint64_t a = wide_pair(1.0F, 2.0F);
  const std::uint64_t b = wide_pair(10.0F, 20.0F);
  const std::uint64_t c = wide_pair(100.0F, 200.0F);
  CHECK(machine.apply_wide("v_pk_add_f32 v[0:1], v[2:3], v[4:5]", a, b) == wide_pair(11.0F, 22.0F));
  CHECK(machine.apply_wide("v_pk_mul_f32 v[0:1], v[2:3], v[4:5]", a, b) == wide_pair(10.0F, 40.0F));
  CHECK(machine.apply_wide("v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]", a, b, c) == wide_pair(110.0F, 240.0F));
  // op_sel chooses for the low, op_sel_hi for the high result.
  CHECK(machine.apply_wide("v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1]", a, b) ==
        wide_pair(12.0F, 21.0F));
  CHECK(machine.apply_wide("v_pk_mul_f32 v[0:1], v[2:3], v[4:5] op_sel_hi:[1,0]", a, b) == wide_pair(10.0F, 20.0F));
  CHECK(machine.apply_wide("v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] neg_lo:[1,0,0] neg_hi:[0,0,1]", a, b, c) ==
        wide_pair(90.0F, -160.0F));
  machine.wave().set_scalar64(8, wide_pair(3.0F, 4.0F));
  CHECK(machine.apply_wide("v_pk_mul_f32 v[0:1], v[2:3], s[8:9]", a) == wide_pair(3.0F, 8.0F));
  CHECK(machine.apply_wide("v_pk_mul_f32 v[0:1], v[2:3], s[8:9] op_sel_hi:[1,0]", a) == wide_pair(3.0F, 6.0F));
  CHECK(machine.apply_wide("v_pk_add_f32 v[0:1], v[2:3], 1.0 op_sel_hi:[1,0]", a) == wide_pair(2.0F, 3.0F));
  CHECK(machine.apply_wide("v_pk_add_f32 v[0:1], v[2:3], v[4:5] clamp", wide_pair(0.5F, 0.75F),
                           wide_pair(0.25F, 3.0F)) == wide_pair(0.75F, 1.0F));
}

TEST_CASE("packed f32 in place reads before it writes") {
  VectorCase machine;
  machine.fill_wide(2, wide_pair(1.0F, 2.0F));
  machine.run("v_pk_add_f32 v[2:3], v[2:3], v[2:3] op_sel:[1,1] op_sel_hi:[0,0]");
  CHECK(machine.wide(2) == wide_pair(4.0F, 2.0F));
}

TEST_CASE("packed f16") {
  VectorCase machine;
  const std::uint32_t a = pair(1.0, 2.0);
  const std::uint32_t b = pair(10.0, 20.0);
  const std::uint32_t c = pair(100.0, 200.0);
  CHECK(machine.apply("v_pk_add_f16 v0, v1, v2", a, b) == pair(11.0, 22.0));
  CHECK(machine.apply("v_pk_mul_f16 v0, v1, v2", a, b) == pair(10.0, 40.0));
  CHECK(machine.apply("v_pk_fma_f16 v0, v1, v2, v3", a, b, c) == pair(110.0, 240.0));
  CHECK(machine.apply("v_pk_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[0,1,1]", a, b, c) == pair(120.0, 220.0));
  CHECK(machine.apply("v_pk_fma_f16 v0, v1, v2, v3 neg_lo:[1,0,0] neg_hi:[0,0,1]", a, b, c) == pair(90.0, -160.0));
  CHECK(machine.apply("v_pk_max_f16 v0, v1, v2", pair(1.0, 5.0), pair(2.0, -5.0)) == pair(2.0, 5.0));
  CHECK(machine.apply("v_pk_min_f16 v0, v1, v2", pair(1.0, 5.0), pair(2.0, -5.0)) == pair(1.0, -5.0));
  // The upper half of an inline constant is 0.
  CHECK(machine.apply("v_pk_add_f16 v0, v1, 1.0", a) == pair(2.0, 2.0));
  CHECK(machine.apply("v_pk_add_f16 v0, v1, 1.0 op_sel_hi:[1,0]", a) == pair(2.0, 3.0));
  CHECK(machine.apply("v_pk_add_f16 v0, v1, v2 clamp", pair(0.25, 5.0), pair(0.5, 5.0)) == pair(0.75, 1.0));
  machine.fill(0, pair(1.0, 2.0));
  machine.fill(1, pair(3.0, 4.0));
  machine.run("v_pk_fmac_f16 v0, v1, v1");
  CHECK(machine.lane(0) == pair(10.0, 18.0));
}

TEST_CASE("packed f16 on random bits equals the unpacked operations") {
  VectorCase machine;
  std::mt19937 random(37);
  machine.set_each(1, [&](unsigned) { return random(); });
  machine.set_each(2, [&](unsigned) { return random(); });
  machine.run("v_pk_add_f16 v3, v1, v2\n v_pk_mul_f16 v4, v1, v2");
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (const unsigned shift : {0U, 16U}) {
      const double a = half_value((machine.lane(1, lane) >> shift) & 0xffff);
      const double b = half_value((machine.lane(2, lane) >> shift) & 0xffff);
      const std::uint32_t sum = (machine.lane(3, lane) >> shift) & 0xffff;
      const std::uint32_t product = (machine.lane(4, lane) >> shift) & 0xffff;
      CHECK((std::isnan(a + b) ? (sum & 0x7fff) > 0x7c00 : sum == half_bits(a + b)));
      CHECK((std::isnan(a * b) ? (product & 0x7fff) > 0x7c00 : product == half_bits(a * b)));
    }
  }
}

TEST_CASE("packed 16-bit integers") {
  VectorCase machine;
  const std::uint32_t a = 0x7fff0005;
  const std::uint32_t b = 0x0002fffe;
  CHECK(machine.apply("v_pk_add_u16 v0, v1, v2", a, b) == 0x80010003);
  CHECK(machine.apply("v_pk_add_u16 v0, v1, v2 clamp", a, b) == 0x8001ffff);
  CHECK(machine.apply("v_pk_add_i16 v0, v1, v2 clamp", a, b) == 0x7fff0003);
  CHECK(machine.apply("v_pk_sub_u16 v0, v1, v2 clamp", a, b) == 0x7ffd0000);
  CHECK(machine.apply("v_pk_sub_i16 v0, v1, v2", a, b) == 0x7ffd0007);
  CHECK(machine.apply("v_pk_mul_lo_u16 v0, v1, v2", a, b) == 0xfffefff6);
  CHECK(machine.apply("v_pk_mad_u16 v0, v1, v2, v3", a, b, 0x00010001) == 0xfffffff7);
  CHECK(machine.apply("v_pk_mad_i16 v0, v1, v2, v3 clamp", a, b, 0) == 0x7ffffff6);
  CHECK(machine.apply("v_pk_min_i16 v0, v1, v2", a, b) == 0x0002fffe);
  CHECK(machine.apply("v_pk_max_i16 v0, v1, v2", a, b) == 0x7fff0005);
  CHECK(machine.apply("v_pk_min_u16 v0, v1, v2", a, b) == 0x00020005);
  CHECK(machine.apply("v_pk_max_u16 v0, v1, v2", a, b) == 0x7ffffffe);
  CHECK(machine.apply("v_pk_lshlrev_b16 v0, v1, v2", 0x00110004, 0x12341234) == 0x24682340);
  CHECK(machine.apply("v_pk_lshrrev_b16 v0, v1, v2", 0x00110004, 0x81248124) == 0x40920812);
  CHECK(machine.apply("v_pk_ashrrev_i16 v0, v1, v2", 0x00110004, 0x81248124) == 0xc092f812);
  CHECK(machine.apply("v_pk_add_u16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]", 0x00010002, 0x00100020) == 0x00120021);
  CHECK(machine.apply("v_pk_add_u16 v0, v1, -1", 0x00010002) == 0x00000001);
}

TEST_CASE("v_fma_mix takes f32 or halves") {
  VectorCase machine;
  const std::uint32_t halves = pair(2.0, 3.0);
  CHECK(machine.apply("v_fma_mix_f32 v0, v1, v2, v3", bits(2.0F), bits(3.0F), bits(4.0F)) == bits(10.0F));
  CHECK(machine.apply("v_fma_mix_f32 v0, v1, v2, v3 op_sel_hi:[1,0,0]", halves, bits(3.0F), bits(4.0F)) == bits(10.0F));
  CHECK(machine.apply("v_fma_mix_f32 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,0]", halves, bits(3.0F),
                      bits(4.0F)) == bits(13.0F));
  CHECK(machine.apply("v_fma_mix_f32 v0, -v1, |v2|, v3 op_sel:[0,1,0] op_sel_hi:[1,1,0]", halves, pair(0, -5.0),
                      bits(1.0F)) == bits(-9.0F));
  CHECK(machine.apply("v_fma_mixlo_f16 v0, v1, v2, v3", bits(2.0F), bits(3.0F), bits(4.0F)) ==
        (0xcdcd0000 | half_bits(10.0)));
  CHECK(machine.apply("v_fma_mixhi_f16 v0, v1, v2, v3", bits(2.0F), bits(3.0F), bits(4.0F)) ==
        (half_bits(10.0) << 16 | 0xcdcd));
  CHECK(machine.apply("v_fma_mixlo_f16 v0, v1, v2, v3 clamp", bits(2.0F), bits(3.0F), bits(4.0F)) ==
        (0xcdcd0000 | half_bits(1.0)));
}

TEST_CASE("dot products of f16 and bf16") {
  VectorCase machine(Target::gfx950);
  const std::uint32_t a = pair(2.0, 3.0);
  const std::uint32_t b = pair(10.0, 100.0);
  CHECK(machine.apply("v_dot2_f32_f16 v0, v1, v2, v3", a, b, bits(1.0F)) == bits(321.0F));
  CHECK(machine.apply("v_dot2_f32_f16 v0, v1, v2, v3 neg_lo:[1,0,0] neg_hi:[0,1,0]", a, b, bits(1.0F)) ==
        bits(-319.0F));
  const std::uint32_t c = bf16_pair(2.0F, 3.0F);
  const std::uint32_t d = bf16_pair(10.0F, 100.0F);
  CHECK(machine.apply("v_dot2_f32_bf16 v0, v1, v2, v3", c, d, bits(1.0F)) == bits(321.0F));
  CHECK(machine.apply("v_dot2_f32_bf16 v0, v1, v2, v3 neg_lo:[1,0,0] neg_hi:[1,0,0]", c, d, bits(1.0F)) ==
        bits(-319.0F));
  // The addend comes last: 2^24 + 1 is lost before, not kept after.
  CHECK(machine.apply("v_dot2_f32_bf16 v0, v1, v2, v3", bf16_pair(0x1p12F, 1.0F), bf16_pair(0x1p12F, 1.0F),
                      bits(-0x1p24F)) == 0);
  machine.fill(0, bits(1.0F));
  machine.fill(1, a);
  machine.fill(2, b);
  machine.run("v_dot2c_f32_f16_e32 v0, v1, v2");
  CHECK(machine.lane(0) == bits(321.0F));
  machine.fill(0, bits(1.0F));
  machine.fill(1, c);
  machine.fill(2, d);
  machine.run("v_dot2c_f32_bf16_e32 v0, v1, v2");
  CHECK(machine.lane(0) == bits(321.0F));
}

TEST_CASE("dot products of integers") {
  VectorCase machine;
  CHECK(machine.apply("v_dot2_i32_i16 v0, v1, v2, v3", 0xffff8000, 0x00027fff, 5) ==
        std::uint32_t(-32768 * 32767 - 2 + 5));
  CHECK(machine.apply("v_dot2_u32_u16 v0, v1, v2, v3", 0xffff8000, 0x00027fff, 5) == 32768U * 32767U + 65535U * 2 + 5);
  CHECK(machine.apply("v_dot2_u32_u16 v0, v1, v2, v3 clamp", 0xffffffff, 0xffffffff, 5) == 0xffffffff);
  CHECK(machine.apply("v_dot4_i32_i8 v0, v1, v2, v3", 0x807f01ff, 0x7f7f0203, 100) ==
        std::uint32_t(-128 * 127 + 127 * 127 + 2 - 3 + 100));
  CHECK(machine.apply("v_dot4_u32_u8 v0, v1, v2, v3", 0x807f01ff, 0x7f7f0203, 100) ==
        128U * 127 + 127 * 127 + 2 + 255 * 3 + 100);
  CHECK(machine.apply("v_dot4_i32_i8 v0, v1, v2, v3 clamp", 0x7f7f7f7f, 0x7f7f7f7f, 0x7fffffff) == 0x7fffffff);
  CHECK(machine.apply("v_dot8_i32_i4 v0, v1, v2, v3", 0x8f700000, 0x77700000, 1) == std::uint32_t(-8 * 7 - 7 + 49 + 1));
  CHECK(machine.apply("v_dot8_u32_u4 v0, v1, v2, v3", 0x8f700000, 0x77700000, 1) == 8U * 7 + 15 * 7 + 49 + 1);
  machine.fill(0, 10);
  machine.fill(1, 0x00ff0102);
  machine.fill(2, 0x03020104);
  machine.run("v_dot4c_i32_i8_e32 v0, v1, v2");
  CHECK(machine.lane(0) == 10U + 8 + 1 - 2);
  machine.fill(0, 10);
  machine.run("v_dot2c_i32_i16_e32 v0, v1, v2");
  CHECK(machine.lane(0) == 10U + 0x102 * 0x104 + 0xff * 0x302);
}
