// Bitwise logic, shifts, bit fields, bytes and bit counts.

#include <doctest/doctest.h>

#include "sim/vector/lanes.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("bitwise logic") {
  VectorCase machine;
  const std::uint32_t a = 0xff00f0f1;
  const std::uint32_t b = 0x0ff0cc35;
  const std::uint32_t c = 0x12345678;
  CHECK(machine.apply("v_and_b32_e32 v0, v1, v2", a, b) == (a & b));
  CHECK(machine.apply("v_or_b32_e32 v0, v1, v2", a, b) == (a | b));
  CHECK(machine.apply("v_xor_b32_e32 v0, v1, v2", a, b) == (a ^ b));
  CHECK(machine.apply("v_xnor_b32_e32 v0, v1, v2", a, b) == ~(a ^ b));
  CHECK(machine.apply("v_not_b32_e32 v0, v1", a) == ~a);
  CHECK(machine.apply("v_and_or_b32 v0, v1, v2, v3", a, b, c) == ((a & b) | c));
  CHECK(machine.apply("v_or3_b32 v0, v1, v2, v3", a, b, c) == (a | b | c));
}

TEST_CASE("v_bitop3 looks up {a, b, c} in the table") {
  VectorCase machine(Target::gfx950);
  const std::uint32_t a = 0xf0f0f0f0;
  const std::uint32_t b = 0xcccccccc;
  const std::uint32_t c = 0xaaaaaaaa;
  // With these sources the result repeats the table, whose bit 4a + 2b + c is looked up.
  for (const unsigned table : {0x01U, 0x80U, 0x55U, 0x96U, 0xe8U, 0x3cU}) {
    char text[80];
    std::snprintf(text, sizeof text, "v_bitop3_b32 v0, v1, v2, v3 bitop3:0x%x", table);
    CHECK(machine.apply(text, a, b, c) == table * 0x01010101U);
  }
  CHECK(machine.apply("v_bitop3_b16 v0, v1, v2, v3 bitop3:0x96", a, b, c) == 0xcdcd9696);
  CHECK(machine.apply("v_bitop3_b16 v0, v1, v2, v3 bitop3:0x80 op_sel:[1,0,0,1]", 0xffff0000, 0x1234, 0xffff) ==
        0x1234cdcd);
}

TEST_CASE("shift counts are taken modulo the width") {
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return lane; });
  machine.fill(2, 0x87654321);
  machine.run("v_lshlrev_b32_e32 v3, v1, v2\n v_lshrrev_b32_e32 v4, v1, v2\n v_ashrrev_i32_e32 v5, v1, v2\n"
              "v_lshlrev_b16_e32 v6, v1, v2\n v_lshrrev_b16_e32 v7, v1, v2\n v_ashrrev_i16_e32 v8, v1, v2\n");
  for (unsigned lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    const unsigned n = lane % 32;
    CHECK(machine.lane(3, lane) == 0x87654321U << n);
    CHECK(machine.lane(4, lane) == 0x87654321U >> n);
    CHECK(machine.lane(5, lane) == std::uint32_t(std::int64_t(std::int32_t(0x87654321U)) / (std::int64_t{1} << n) -
                                                 ((0x87654321U & ((1U << n) - 1)) != 0 ? 1 : 0)));
    CHECK(machine.lane(6, lane) == ((0x4321U << (lane % 16)) & 0xffff));
    CHECK(machine.lane(7, lane) == 0x4321U >> (lane % 16));
    CHECK(machine.lane(8, lane) == 0x4321U >> (lane % 16));
  }
  machine.fill(2, 0x8000);
  machine.run("v_ashrrev_i16_e32 v8, v1, v2");
  CHECK(machine.lane(8, 15) == 0xffff);
  CHECK(machine.lane(8, 17) == 0xc000);
}

TEST_CASE("64-bit shifts") {
  VectorCase machine;
  const std::uint64_t value = 0x8123456789abcdef;
  for (const unsigned count : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 100U}) {
    CAPTURE(count);
    machine.fill(8, count);
    const unsigned n = count % 64;
    CHECK(machine.apply_wide("v_lshlrev_b64 v[0:1], v8, v[2:3]", value) == value << n);
    CHECK(machine.apply_wide("v_lshrrev_b64 v[0:1], v8, v[2:3]", value) == value >> n);
    const std::uint64_t filled = n == 0 ? 0 : ~std::uint64_t{0} << (64 - n);
    CHECK(machine.apply_wide("v_ashrrev_i64 v[0:1], v8, v[2:3]", value) == ((value >> n) | filled));
  }
  CHECK(machine.apply_wide("v_lshl_add_u64 v[0:1], v[2:3], 4, v[4:5]", 0x1000000000000001, 0xfffffffffffffff0) == 0);
}

TEST_CASE("shifts that saturate and pack bytes") {
  VectorCase machine(Target::gfx950);
  CHECK(machine.apply("v_ashr_pk_i8_i32 v0, v1, v2, v3", 0x00000640, 0xfffff000, 4) == 0xcdcd8064);
  CHECK(machine.apply("v_ashr_pk_i8_i32 v0, v1, v2, v3", 0x00007fff, 0xfffffff0, 36) == 0xcdcdff7f);
  CHECK(machine.apply("v_ashr_pk_u8_i32 v0, v1, v2, v3", 0x00007fff, 0xfffffff0, 4) == 0xcdcd00ff);
}

TEST_CASE("bit fields") {
  VectorCase machine;
  CHECK(machine.apply("v_bfe_u32 v0, v1, 4, 8", 0x12345678) == 0x67);
  CHECK(machine.apply("v_bfe_u32 v0, v1, 36, 8", 0x12345678) == 0x67);
  CHECK(machine.apply("v_bfe_u32 v0, v1, 4, 0", 0x12345678) == 0);
  CHECK(machine.apply("v_bfe_u32 v0, v1, 4, 32", 0x12345678) == 0); // the width counts modulo 32 too
  CHECK(machine.apply("v_bfe_u32 v0, v1, 24, 31", 0x92345678) == 0x92);
  CHECK(machine.apply("v_bfe_i32 v0, v1, 4, 4", 0x00000080) == 0xfffffff8);
  CHECK(machine.apply("v_bfe_i32 v0, v1, 4, 5", 0x00000080) == 8);
  CHECK(machine.apply("v_bfe_i32 v0, v1, 0, 1", 1) == 0xffffffff);
  CHECK(machine.apply("v_bfe_i32 v0, v1, 4, 0", 0xffffffff) == 0);
  CHECK(machine.apply("v_bfe_i32 v0, v1, 16, 16", 0x80000000) == 0xffff8000);
  CHECK(machine.apply("v_bfi_b32 v0, v1, v2, v3", 0x00ff00ff, 0x12345678, 0xabcdef01) == 0xab34ef78);
  CHECK(machine.apply("v_bfm_b32 v0, 8, v1", 4) == 0xff0);
  CHECK(machine.apply("v_bfm_b32 v0, 40, v1", 36) == 0xff0);
}

TEST_CASE("v_perm_b32 picks bytes, signs and constants") {
  VectorCase machine;
  const std::uint32_t high = 0x80c06504; // bytes 7 to 4
  const std::uint32_t low = 0x7f827101;  // bytes 3 to 0
  CHECK(machine.apply("v_perm_b32 v0, v1, v2, v3", high, low, 0x07060504) == high);
  CHECK(machine.apply("v_perm_b32 v0, v1, v2, v3", high, low, 0x03020100) == low);
  CHECK(machine.apply("v_perm_b32 v0, v1, v2, v3", high, low, 0x00070205) == 0x01808265);
  // 8 to 11: the signs of the bytes 1, 3, 5, 7; 12: 0; above: 0xff.
  CHECK(machine.apply("v_perm_b32 v0, v1, v2, v3", high, low, 0x0b0a0908) == 0xff000000);
  CHECK(machine.apply("v_perm_b32 v0, v1, v2, v3", 0x00008000, 0x80008000, 0x0b0a0908) == 0x00ffffff);
  CHECK(machine.apply("v_perm_b32 v0, v1, v2, v3", high, low, 0xff0d0c0d) == 0xffff00ff);
}

TEST_CASE("alignment takes 32 bits out of 64") {
  VectorCase machine;
  CHECK(machine.apply("v_alignbit_b32 v0, v1, v2, 4", 0x12345678, 0xabcdef01) == 0x8abcdef0);
  CHECK(machine.apply("v_alignbit_b32 v0, v1, v2, 32", 0x12345678, 0xabcdef01) == 0xabcdef01);
  CHECK(machine.apply("v_alignbit_b32 v0, v1, v2, v3", 0x12345678, 0xabcdef01, 63) == 0x2468acf1);
  CHECK(machine.apply("v_alignbyte_b32 v0, v1, v2, 1", 0x12345678, 0xabcdef01) == 0x78abcdef);
  CHECK(machine.apply("v_alignbyte_b32 v0, v1, v2, 7", 0x12345678, 0xabcdef01) == 0x345678ab);
}

TEST_CASE("bit counts and positions") {
  VectorCase machine;
  CHECK(machine.apply("v_bcnt_u32_b32 v0, v1, v2", 0xf0f00001, 10) == 19);
  CHECK(machine.apply("v_bfrev_b32_e32 v0, v1", 0x80000005) == 0xa0000001);
  // The examples of the ISA manual.
  const std::pair<std::uint32_t, std::uint32_t> from_top[] = {
      {0, 0xffffffff}, {0x800000ff, 0}, {0x100000ff, 3}, {0x0000ffff, 16}, {1, 31}};
  for (const auto& [value, position] : from_top)
    CHECK(machine.apply("v_ffbh_u32_e32 v0, v1", value) == position);
  const std::pair<std::uint32_t, std::uint32_t> from_bottom[] = {
      {0, 0xffffffff}, {0xff000001, 0}, {0xff000008, 3}, {0xffff0000, 16}, {0x80000000, 31}};
  for (const auto& [value, position] : from_bottom)
    CHECK(machine.apply("v_ffbl_b32_e32 v0, v1", value) == position);
  const std::pair<std::uint32_t, std::uint32_t> after_sign[] = {
      {0, 0xffffffff},  {0x40000000, 1},  {0x80000000, 1},         {0x0fffffff, 4},
      {0xffff0000, 16}, {0xfffffffe, 31}, {0xffffffff, 0xffffffff}};
  for (const auto& [value, position] : after_sign)
    CHECK(machine.apply("v_ffbh_i32_e32 v0, v1", value) == position);
}

TEST_CASE("v_prng_b32 is a shift register") {
  VectorCase machine(Target::gfx950);
  CHECK(machine.apply("v_prng_b32_e32 v0, v1", 1) == 2);
  CHECK(machine.apply("v_prng_b32_e32 v0, v1", 0x80000001) == (2 ^ 197));
}
