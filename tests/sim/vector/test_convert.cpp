#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("to integers: truncation, saturation, NaN to 0") {
  VectorCase machine;
  const auto to_i32 = [&](float x) { return std::int32_t(machine.apply_float("v_cvt_i32_f32_e32 v0, v1", x)); };
  const auto to_u32 = [&](float x) { return machine.apply_float("v_cvt_u32_f32_e32 v0, v1", x); };
  CHECK(to_i32(2.9F) == 2);
  CHECK(to_i32(-2.9F) == -2);
  CHECK(to_i32(0x1p31F) == 0x7fffffff);
  CHECK(to_i32(-0x1p31F) == std::int32_t(0x80000000));
  CHECK(to_i32(-1e20F) == std::int32_t(0x80000000));
  CHECK(to_i32(INFINITY) == 0x7fffffff);
  CHECK(to_i32(NAN) == 0);
  CHECK(to_u32(3e9F) == 3000000000U);
  CHECK(to_u32(-1.0F) == 0);
  CHECK(to_u32(0x1p32F) == 0xffffffff);
  CHECK(to_u32(-INFINITY) == 0);
  CHECK(to_u32(NAN) == 0);
  const auto from_double = [&](const char* text, double x) {
    machine.fill_wide(2, bits(x));
    machine.run(text);
    return machine.lane(0);
  };
  CHECK(from_double("v_cvt_i32_f64_e32 v0, v[2:3]", -2147483648.9) == 0x80000000);
  CHECK(from_double("v_cvt_i32_f64_e32 v0, v[2:3]", 2147483647.9) == 0x7fffffff);
  CHECK(from_double("v_cvt_u32_f64_e32 v0, v[2:3]", 4294967295.5) == 0xffffffff);
  CHECK(from_double("v_cvt_u32_f64_e32 v0, v[2:3]", NAN) == 0);
  CHECK(machine.apply("v_cvt_i16_f16_e32 v0, v1", half_bits(-3.5)) == 0xfffd);
  CHECK(machine.apply("v_cvt_i16_f16_e32 v0, v1", 0x7bff) == 0x7fff);
  CHECK(machine.apply("v_cvt_u16_f16_e32 v0, v1", 0x7bff) == 65504);
  CHECK(machine.apply("v_cvt_u16_f16_e32 v0, v1", 0x7c00) == 0xffff);
  CHECK(machine.apply_float("v_cvt_rpi_i32_f32_e32 v0, v1", -1.5F) == std::uint32_t(-1));
  CHECK(machine.apply_float("v_cvt_rpi_i32_f32_e32 v0, v1", 2.5F) == 3);
  CHECK(machine.apply_float("v_cvt_flr_i32_f32_e32 v0, v1", -1.5F) == std::uint32_t(-2));
}

TEST_CASE("from integers") {
  VectorCase machine;
  CHECK(machine.apply("v_cvt_f32_i32_e32 v0, v1", 0x80000000) == bits(-0x1p31F));
  CHECK(machine.apply("v_cvt_f32_i32_e32 v0, v1", 16777217) == bits(16777216.0F)); // a tie, to even
  CHECK(machine.apply("v_cvt_f32_i32_e32 v0, v1", 16777219) == bits(16777220.0F));
  CHECK(machine.apply("v_cvt_f32_u32_e32 v0, v1", 0xffffffff) == bits(0x1p32F));
  CHECK(machine.apply("v_cvt_f32_u32_e32 v0, v1", 0xffffff7f) == bits(4294967040.0F));
  const std::uint32_t word = 0x12345678;
  CHECK(machine.apply("v_cvt_f32_ubyte0_e32 v0, v1", word) == bits(float(0x78)));
  CHECK(machine.apply("v_cvt_f32_ubyte1_e32 v0, v1", word) == bits(float(0x56)));
  CHECK(machine.apply("v_cvt_f32_ubyte2_e32 v0, v1", word) == bits(float(0x34)));
  CHECK(machine.apply("v_cvt_f32_ubyte3_e32 v0, v1", word) == bits(float(0x12)));
  machine.fill(8, 0xffffffff);
  CHECK(machine.apply_wide("v_cvt_f64_i32_e32 v[0:1], v8", 0) == bits(-1.0));
  CHECK(machine.apply_wide("v_cvt_f64_u32_e32 v[0:1], v8", 0) == bits(4294967295.0));
  CHECK(machine.apply("v_cvt_f16_u16_e32 v0, v1", 0xffff) == 0x7c00);
  CHECK(machine.apply("v_cvt_f16_u16_e32 v0, v1", 2049) == half_bits(2048.0));
  CHECK(machine.apply("v_cvt_f16_i16_e32 v0, v1", 0xfffe) == half_bits(-2.0));
  CHECK(machine.apply("v_cvt_off_f32_i4_e32 v0, v1", 0x9) == bits(-7.0F / 16));
  CHECK(machine.apply("v_cvt_off_f32_i4_e32 v0, v1", 0x7) == bits(7.0F / 16));
}

TEST_CASE("every f16 becomes the f32 of the same value and comes back") {
  VectorCase machine;
  for (std::uint32_t base = 0; base < 0x10000; base += 64) {
    machine.set_each(1, [base](unsigned lane) { return base + lane; });
    if (base == 0)
      machine.run("v_cvt_f32_f16_e32 v0, v1\n v_cvt_f16_f32_e32 v2, v0");
    else
      machine.run_without_completing("v_cvt_f32_f16_e32 v0, v1\n v_cvt_f16_f32_e32 v2, v0");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const std::uint32_t code = base + lane;
      const double value = half_value(code);
      const bool good = std::isnan(value) ? machine.lane(2, lane) == (code | 0x200)
                                          : as_float(machine.lane(0, lane)) == value && machine.lane(2, lane) == code;
      REQUIRE_MESSAGE(good, "f16 code " << code);
    }
  }
}

TEST_CASE("f32 to f16 in every rounding, between all neighbours of a sample") {
  VectorCase machine;
  std::mt19937 random(3);
  const To roundings[] = {To::nearest_even, To::up, To::down, To::zero};
  const auto sample = [&](unsigned lane) {
    const std::uint32_t code = random() % 0x7bff;
    const double low = magnitude_of(k_half, code);
    const double high = magnitude_of(k_half, code + 1);
    const double fractions[] = {0.0, 0.5, 0.25, 0.75, 0x1p-12, 1 - 0x1p-12, 0.5 + 0x1p-12, 0.5 - 0x1p-12};
    const double value = low + (high - low) * fractions[lane % 8];
    return bits(float(lane % 16 < 8 ? value : -value));
  };
  for (int round = 0; round < 40; ++round) {
    const unsigned mode = round % 4;
    machine.wave().mode = 0x3f0 | mode << 2;
    machine.set_each(1, sample);
    machine.run("v_cvt_f16_f32_e32 v0, v1\n v_cvt_pkrtz_f16_f32 v2, v1, v1");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const double value = as_float(machine.lane(1, lane));
      CAPTURE(value);
      CHECK(machine.lane(0, lane) == half_bits(value, roundings[mode]));
      CHECK(machine.lane(2, lane) == half_bits(value, To::zero) * 0x10001U);
    }
  }
}

TEST_CASE("f16 overflow and underflow") {
  VectorCase machine;
  CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", 65519.0F) == 0x7bff);
  CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", 65520.0F) == 0x7c00);
  CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", -1e30F) == 0xfc00);
  CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", 0x1p-25F) == 0);
  CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", 0x1.000002p-25F) == 1);
  CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", -0x1p-140F) == 0x8000);
  CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", -INFINITY) == 0xfc00);
  CHECK(machine.apply("v_cvt_f16_f32_e32 v0, v1", 0x7f802000) == 0x7e01);
  CHECK(machine.apply_float("v_cvt_pkrtz_f16_f32 v0, v1, v2", 1e30F, -INFINITY) == 0xfc007bff);
  CHECK(machine.apply_float("v_cvt_pkrtz_f16_f32 v0, v1, v2", -0x1.fffffep-25F, 0x1.7ffp-24F) == 0x00018000);
  SUBCASE("FP16_OVFL keeps finite values finite") {
    machine.wave().mode |= 1U << 23;
    CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", 1e30F) == 0x7bff);
    CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", INFINITY) == 0x7c00);
    CHECK(machine.apply("v_add_f16_e32 v0, v1, v2", 0x7bff, 0x7bff) == 0x7bff);
  }
  SUBCASE("toward zero never reaches infinity") {
    machine.wave().mode = 0x3f0 | 3 << 2;
    CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", 1e30F) == 0x7bff);
    machine.wave().mode = 0x3f0 | 2 << 2;
    CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", 1e30F) == 0x7bff);
    CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", -1e30F) == 0xfc00);
    CHECK(machine.apply_float("v_cvt_f16_f32_e32 v0, v1", -0x1p-100F) == 0x8001);
  }
}

TEST_CASE("f32 and f64") {
  VectorCase machine;
  machine.fill_wide(2, bits(1.0 + 0x1p-24));
  machine.run("v_cvt_f32_f64_e32 v0, v[2:3]");
  CHECK(machine.lane(0) == bits(1.0F));
  machine.fill_wide(2, bits(1e300));
  machine.run("v_cvt_f32_f64_e32 v0, v[2:3]");
  CHECK(machine.lane(0) == 0x7f800000);
  machine.fill(8, 1);
  CHECK(machine.apply_wide("v_cvt_f64_f32_e32 v[0:1], v8", 0) == bits(0x1p-149));
  machine.fill(8, 0x7f800001);
  CHECK(machine.apply_wide("v_cvt_f64_f32_e32 v[0:1], v8", 0) == 0x7ff8000020000000);
}

TEST_CASE("bf16 on gfx950") {
  VectorCase machine(Target::gfx950);
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    machine.set_each(1, [&](unsigned lane) {
      const std::uint32_t value = random();
      return lane % 4 == 0 ? (value & 0xffff0000) | 0x8000U : value; // every fourth a tie
    });
    machine.set_each(2, [&](unsigned) { return random() & 0x807fffff; }); // denormals
    machine.wave().mode = 0x3f0 | unsigned(round) % 16;                   // its rounding does not matter
    machine.run("v_cvt_pk_bf16_f32 v0, v1, v2");
    for (unsigned lane = 0; lane < 64; ++lane) {
      for (const unsigned half : {0U, 1U}) {
        const std::uint32_t source = machine.lane(1 + half, lane);
        const double value = as_float(source);
        const std::uint32_t result = (machine.lane(0, lane) >> (16 * half)) & 0xffff;
        CAPTURE(source);
        if (std::isnan(value))
          CHECK(result == ((source >> 16) | 0x40));
        else if (std::isinf(value))
          CHECK(result == source >> 16);
        else
          CHECK(result == (((source >> 16) & 0x8000) | round_magnitude(k_bfloat16, value, To::nearest_even)));
      }
    }
  }
  CHECK(machine.apply("v_cvt_pk_bf16_f32 v0, v1, v2", 0x7f7fffff, 0x7f800001) == 0x7fc07f80);
  CHECK(machine.apply("v_cvt_f32_bf16_e32 v0, v1", 0xffff3f80) == bits(1.0F));
  CHECK(machine.apply("v_cvt_f32_bf16_sdwa v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", 0xc0000000) ==
        bits(-2.0F));
  CHECK(machine.apply_float("v_cvt_pk_f16_f32 v0, v1, v2", 1.0F, 65520.0F) == 0x7c003c00);
}

TEST_CASE("stochastic rounding adds the top bits of a random word") {
  VectorCase machine(Target::gfx950);
  const auto half = [&](float x, std::uint32_t random) {
    return machine.apply("v_cvt_sr_f16_f32 v0, v1, v2", bits(x), random);
  };
  const float quarter_up = 1.0F + 0x1p-12F; // a quarter of the way to the next f16
  CHECK(half(quarter_up, 0) == 0xcdcd3c00);
  CHECK(half(quarter_up, 0xbfffffff) == 0xcdcd3c00);
  CHECK(half(quarter_up, 0xc0000000) == 0xcdcd3c01);
  CHECK(half(1.0F, 0xffffffff) == 0xcdcd3c00);
  CHECK(half(0x1p-25F, 0x7fffffff) == 0xcdcd0000);
  CHECK(half(0x1p-25F, 0x80000000) == 0xcdcd0001);
  CHECK(half(65535.0F, 0xffffffff) == 0xcdcd7c00);
  CHECK(half(NAN, 0) == 0xcdcd7e00);
  CHECK(machine.apply("v_cvt_sr_f16_f32 v0, v1, v2 op_sel:[0,0,1]", bits(2.0F), 0) == 0x4000cdcd);
  const float bf16_quarter = 1.0F + 0x1p-9F;
  CHECK(machine.apply("v_cvt_sr_bf16_f32 v0, v1, v2", bits(bf16_quarter), 0xbfff0000) == 0xcdcd3f80);
  CHECK(machine.apply("v_cvt_sr_bf16_f32 v0, v1, v2", bits(bf16_quarter), 0xc0000000) == 0xcdcd3f81);
  CHECK(machine.apply("v_cvt_sr_bf16_f32 v0, v1, v2 op_sel:[0,0,1]", 0xff800000, 0xffffffff) == 0xff80cdcd);
}

TEST_CASE("normalised and packed integers") {
  VectorCase machine;
  CHECK(machine.apply_float("v_cvt_pknorm_i16_f32 v0, v1, v2", 1.0F, -1.0F) == 0x80017fff);
  CHECK(machine.apply_float("v_cvt_pknorm_i16_f32 v0, v1, v2", 5.0F, NAN) == 0x00007fff);
  CHECK(machine.apply_float("v_cvt_pknorm_u16_f32 v0, v1, v2", 0.5F, -1.0F) == 0x00008000); // 32767.5, to even
  CHECK(machine.apply("v_cvt_pknorm_u16_f16 v0, v1, v2", 0x3c00, 0x3800) == 0x8000ffff);
  CHECK(machine.apply("v_cvt_norm_i16_f16_e32 v0, v1", 0xbc00) == 0x8001);
  CHECK(machine.apply("v_cvt_norm_u16_f16_e32 v0, v1", 0x3c00) == 0xffff);
  CHECK(machine.apply("v_cvt_pk_i16_i32 v0, v1, v2", 70000, std::uint32_t(-70000)) == 0x80007fff);
  CHECK(machine.apply("v_cvt_pk_u16_u32 v0, v1, v2", 70000, 5) == 0x0005ffff);
  CHECK(machine.apply("v_sat_pk_u8_i16_e32 v0, v1", 0x0123fff0) == 0xff00);
  CHECK(machine.apply("v_sat_pk_u8_i16_e32 v0, v1", 0x00420041) == 0x4241);
  CHECK(machine.apply("v_cvt_pk_u8_f32 v0, v1, v2, v3", bits(66.7F), 2, 0x11223344) == 0x11423344);
  CHECK(machine.apply("v_cvt_pk_u8_f32 v0, v1, v2, v3", bits(300.0F), 4, 0x11223344) == 0x112233ff);
  CHECK(machine.apply("v_cvt_pkaccum_u8_f32 v0, v1, v2", bits(1.0F), 3) == 0x01cdcdcd);
}
