// fp8, bf8, fp6, bf6 and fp4: plain and scaled conversions.

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/vector/lanes.h"
#include "sim/vector/reference_formats.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

struct EightBit {
  Target target;
  const char* name;
  SmallFormat format;
  std::uint32_t overflow; // code of a positive value that is too large
  std::uint32_t nan;
};

const EightBit k_eight_bit[] = {
    {Target::gfx942, "fp8", k_e4m3_fnuz, 0x80, 0x80},
    {Target::gfx942, "bf8", k_e5m2_fnuz, 0x80, 0x80},
    {Target::gfx950, "fp8", k_e4m3, 0x7f, 0x7f},
    {Target::gfx950, "bf8", k_e5m2, 0x7c, 0x7e},
};

bool is_fnuz(const EightBit& kind) {
  return kind.target == Target::gfx942;
}

std::uint32_t encode(const EightBit& kind, double value) {
  const std::uint32_t magnitude = round_magnitude(kind.format, value, To::nearest_even);
  const std::uint32_t sign = std::signbit(value) && !(is_fnuz(kind) && magnitude == 0) ? 0x80U : 0U;
  if (magnitude > kind.format.largest)
    return is_fnuz(kind) ? 0x80U : kind.overflow | sign;
  return magnitude | sign;
}

} // namespace

TEST_CASE("every 8-bit code widens to its value: FNUZ on gfx942, OCP on gfx950") {
  for (const EightBit& kind : k_eight_bit) {
    CAPTURE(kind.name);
    CAPTURE(target_name(kind.target));
    VectorCase machine(kind.target);
    for (std::uint32_t base = 0; base < 256; base += 64) {
      machine.set_each(1, [base](unsigned lane) { return 0xabcdef00U | (base + lane); });
      machine.run("v_cvt_f32_" + std::string(kind.name) + "_e32 v0, v1");
      for (unsigned lane = 0; lane < 64; ++lane) {
        const std::uint32_t code = base + lane;
        CAPTURE(code);
        const float result = as_float(machine.lane(0, lane));
        const std::uint32_t magnitude = code & 0x7f;
        const bool nan = is_fnuz(kind) ? code == 0x80 : magnitude > (kind.format.largest == 0x7b ? 0x7cU : 0x7eU);
        const bool infinite = !is_fnuz(kind) && kind.format.largest == 0x7b && magnitude == 0x7c;
        const double value = infinite ? INFINITY : magnitude_of(kind.format, magnitude);
        if (nan)
          CHECK(std::isnan(result));
        else
          CHECK(bits(result) == bits(float((code & 0x80) != 0 ? -value : value)));
      }
    }
  }
}

TEST_CASE("byte and word selection of widening conversions") {
  VectorCase machine(Target::gfx950);
  const std::uint32_t codes = 0x40383028; // 2.0, 1.0, 0.5, 0.25 in E4M3, from the highest byte
  CHECK(machine.apply("v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_0", codes) == bits(0.25F));
  CHECK(machine.apply("v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_1", codes) == bits(0.5F));
  CHECK(machine.apply("v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_2", codes) == bits(1.0F));
  CHECK(machine.apply("v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_3", codes) == bits(2.0F));
  CHECK(machine.apply("v_cvt_f32_bf8_sdwa v0, v1 src0_sel:BYTE_1", 0x3c00) == bits(1.0F));
  machine.fill(8, codes);
  CHECK(machine.apply_wide("v_cvt_pk_f32_fp8_e32 v[0:1], v8", 0) == (bits(0.25F) | std::uint64_t(bits(0.5F)) << 32));
  CHECK(machine.apply_wide("v_cvt_pk_f32_fp8_sdwa v[0:1], v8 src0_sel:WORD_1", 0) ==
        (bits(1.0F) | std::uint64_t(bits(2.0F)) << 32));
  CHECK(machine.apply_wide("v_cvt_pk_f32_bf8_e32 v[0:1], v8", 0) ==
        (bits(0x1p-5F) | std::uint64_t(bits(0x1p-3F)) << 32));
}

TEST_CASE("f32 to 8 bits rounds to nearest even, ties and denormals included") {
  std::mt19937 random(41);
  for (const EightBit& kind : k_eight_bit) {
    CAPTURE(kind.name);
    CAPTURE(target_name(kind.target));
    VectorCase machine(kind.target);
    machine.wave().mode = 0x3ff; // toward zero: does not matter here
    const auto sample = [&](unsigned lane) {
      const std::uint32_t code = random() % (kind.format.largest + 1);
      const double low = magnitude_of(kind.format, code);
      const double high = magnitude_of(kind.format, code + 1);
      const double fractions[] = {0.0, 0.5, 0.5 + 0x1p-16, 0.5 - 0x1p-16, 0.25, 0.9};
      const double value = low + (high - low) * fractions[lane % 6];
      return bits(float(random() % 2 == 0 ? value : -value));
    };
    for (int round = 0; round < 10; ++round) {
      machine.set_each(1, sample);
      machine.set_each(2, sample);
      machine.fill(0, k_untouched);
      machine.run("v_cvt_pk_" + std::string(kind.name) + "_f32 v0, v1, v2");
      for (unsigned lane = 0; lane < 64; ++lane) {
        const float a = as_float(machine.lane(1, lane));
        const float b = as_float(machine.lane(2, lane));
        CAPTURE(a);
        CAPTURE(b);
        CHECK(machine.lane(0, lane) == (0xcdcd0000 | encode(kind, b) << 8 | encode(kind, a)));
      }
    }
    const std::string text = "v_cvt_pk_" + std::string(kind.name) + "_f32 v0, v1, v2 op_sel:[0,0,1]";
    CHECK(machine.apply_float(text, NAN, 1e30F) == (0x0000cdcd | kind.nan << 16 | kind.overflow << 24));
    CHECK(machine.apply_float(text, 0.0F, -0.0F) == (is_fnuz(kind) ? 0x0000cdcd : 0x8000cdcd));
  }
}

TEST_CASE("FP16_OVFL saturates 8-bit conversions") {
  for (const EightBit& kind : k_eight_bit) {
    CAPTURE(kind.name);
    VectorCase machine(kind.target);
    machine.wave().mode |= 1U << 23;
    const std::uint32_t result =
        machine.apply_float("v_cvt_pk_" + std::string(kind.name) + "_f32 v0, v1, v2", 1e30F, -1e30F);
    CHECK((result & 0xffff) == (kind.format.largest | (kind.format.largest | 0x80) << 8));
  }
}

TEST_CASE("stochastic rounding to 8 bits") {
  VectorCase machine(Target::gfx942);
  // E4M3 FNUZ: 1.0 is 0x40; 1.0 + 1/32 is a quarter of the way to 0x41.
  const auto fp8 = [&](float x, std::uint32_t random) {
    return machine.apply("v_cvt_sr_fp8_f32 v0, v1, v2", bits(x), random) & 0xff;
  };
  CHECK(fp8(1.03125F, 0xbfffffff) == 0x40);
  CHECK(fp8(1.03125F, 0xc0000000) == 0x41);
  CHECK(fp8(1.0F, 0xffffffff) == 0x40);
  CHECK(fp8(0x1p-11F, 0x7fffffff) == 0x00); // half the smallest denormal
  CHECK(fp8(0x1p-11F, 0x80000000) == 0x01);
  CHECK(fp8(-1.96875F, 0xc0000000) == 0xc8); // a carry into the exponent: -2.0
  CHECK(machine.apply("v_cvt_sr_fp8_f32 v0, v1, v2 op_sel:[0,0,1,0]", bits(1.0F), 0) == 0xcdcd40cd);
  CHECK(machine.apply("v_cvt_sr_fp8_f32 v0, v1, v2 op_sel:[0,0,0,1]", bits(1.0F), 0) == 0xcd40cdcd);
  CHECK(machine.apply("v_cvt_sr_bf8_f32 v0, v1, v2 op_sel:[0,0,1,1]", bits(1.0F), 0) == 0x40cdcdcd);
}

TEST_CASE("scaled conversions of fp8, bf8 and fp4 pairs") {
  VectorCase machine(Target::gfx950);
  const float scale = 8.0F; // narrowing divides by it, widening multiplies; only the exponent counts
  machine.fill(3, bits(scale * 1.5F));
  const auto narrow = [&](const std::string& text, std::uint32_t a, std::uint32_t b) {
    return machine.apply(text, a, b, bits(scale));
  };
  CHECK(narrow("v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, v3", bits(8.0F), bits(-16.0F)) == 0xcdcdc038);
  CHECK(narrow("v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, v3 op_sel:[0,0,0,1]", bits(8.0F), bits(-16.0F)) == 0xc038cdcd);
  CHECK(narrow("v_cvt_scalef32_pk_bf8_f32 v0, v1, v2, v3", bits(8.0F), bits(-16.0F)) == 0xcdcdc03c);
  CHECK(narrow("v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3 op_sel:[0,0,1,1]", bits(8.0F), bits(-12.0F)) == 0xb2cdcdcd);
  CHECK(narrow("v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3", bits(1e9F), bits(-1e9F)) == 0xcdcdcdf7); // saturates
  CHECK(machine.apply("v_cvt_scalef32_pk_fp8_f16 v0, v1, v2 op_sel:[0,0,1]", half_bits(8.0) | half_bits(4.0) << 16,
                      bits(scale)) == 0x3038cdcd);
  CHECK(machine.apply("v_cvt_scalef32_pk_fp8_bf16 v0, v1, v2", bits(8.0F) >> 16 | (bits(4.0F) & 0xffff0000),
                      bits(scale)) == 0xcdcd3038);
  CHECK(machine.apply("v_cvt_scalef32_pk_fp4_f16 v0, v1, v2 op_sel:[0,0,1,0]", half_bits(8.0) | half_bits(24.0) << 16,
                      bits(scale)) == 0xcdcd52cd);
  CHECK(machine.apply("v_cvt_scalef32_f32_fp8 v0, v1, v2 op_sel:[1,0,0]", 0x00003800, bits(scale)) == bits(8.0F));
  CHECK(machine.apply("v_cvt_scalef32_f32_bf8 v0, v1, v2 op_sel:[0,1,0]", 0x003c0000, bits(scale)) == bits(8.0F));
  CHECK(machine.apply("v_cvt_scalef32_f16_fp8 v0, v1, v2 op_sel:[1,1,1]", 0x38000000, bits(scale)) ==
        (half_bits(8.0) << 16 | 0xcdcd));
  CHECK(machine.apply("v_cvt_scalef32_pk_f16_fp8 v0, v1, v2 op_sel:[1,0,0]", 0xc0380000, bits(scale)) ==
        (half_bits(8.0) | half_bits(-16.0) << 16));
  CHECK(machine.apply("v_cvt_scalef32_pk_bf16_bf8 v0, v1, v2", 0xc03c, bits(scale)) ==
        (bits(8.0F) >> 16 | (bits(-16.0F) & 0xffff0000)));
  CHECK(machine.apply("v_cvt_scalef32_pk_f16_fp4 v0, v1, v2 op_sel:[0,1,0]", 0x00b20000, bits(scale)) ==
        (half_bits(8.0) | half_bits(-12.0) << 16));
  machine.fill(8, 0xb2);
  machine.fill(9, bits(scale));
  CHECK(machine.apply_wide("v_cvt_scalef32_pk_f32_fp4 v[0:1], v8, v9", 0) ==
        (bits(8.0F) | std::uint64_t(bits(-12.0F)) << 32));
  SUBCASE("a scale of NaN") {
    CHECK((machine.apply("v_cvt_scalef32_pk_fp8_f32 v0, v1, v2, v3", bits(1.0F), bits(1.0F), 0x7f800000) & 0xffff) ==
          0x7f7f);
    CHECK(std::isnan(as_float(machine.apply("v_cvt_scalef32_f32_fp8 v0, v1, v2", 0x38, 0x7fc00000))));
  }
}

TEST_CASE("scaled stochastic conversions step the random word for the second element") {
  VectorCase machine(Target::gfx950);
  // 1.25 is half way between the fp4 values 1.0 and 1.5. The first random word rounds up; its successor, shifted left
  // by one, down.
  machine.fill_wide(2, bits(1.25F) | std::uint64_t(bits(1.25F)) << 32);
  machine.fill(8, 0x80000000);
  machine.fill(9, bits(1.0F));
  machine.fill(0, k_untouched);
  machine.run("v_cvt_scalef32_sr_pk_fp4_f32 v0, v[2:3], v8, v9");
  CHECK(machine.lane(0) == 0xcdcdcd23);
  machine.fill(8, 0x40000000);
  machine.run("v_cvt_scalef32_sr_pk_fp4_f32 v0, v[2:3], v8, v9 op_sel:[0,0,1,0]");
  CHECK(machine.lane(0) == 0xcdcd3223);
  CHECK(machine.apply("v_cvt_scalef32_sr_fp8_f16 v0, v1, v2, v3 op_sel:[0,0,0,1]", half_bits(1.0625), 0x80000000,
                      bits(1.0F)) == 0xcd39cdcd);
  CHECK(machine.apply("v_cvt_scalef32_sr_bf8_bf16 v0, v1, v2, v3", bits(1.125F) >> 16, 0x7fffffff, bits(1.0F)) ==
        0xcdcdcd3c);
}

TEST_CASE("blocks of 32 six-bit elements") {
  VectorCase machine(Target::gfx950);
  const auto element = [&](unsigned first, unsigned number, unsigned width) {
    std::uint64_t window = machine.lane(first + number * width / 32);
    if (number * width % 32 + width > 32)
      window |= std::uint64_t(machine.lane(first + number * width / 32 + 1)) << 32;
    return std::uint32_t(window >> (number * width % 32)) & ((1U << width) - 1);
  };
  SUBCASE("f16 to fp6 and back") {
    for (unsigned n = 0; n < 16; ++n)
      machine.fill(16 + n, half_bits(magnitude_of(k_e2m3, 2 * n) * 4) | half_bits(-magnitude_of(k_e2m3, 2 * n + 1) * 4)
                                                                            << 16);
    machine.fill(40, bits(4.0F));
    machine.run("v_cvt_scalef32_pk32_fp6_f16 v[100:105], v[16:31], v40\n"
                "v_cvt_scalef32_pk32_f32_fp6 v[110:141], v[100:105], v40\n"
                "v_cvt_scalef32_pk32_f16_fp6 v[150:165], v[100:105], v40");
    for (unsigned n = 0; n < 32; ++n) {
      CAPTURE(n);
      CHECK(element(100, n, 6) == (n % 2 == 0 ? n : n | 0x20));
      const double value = magnitude_of(k_e2m3, n) * (n % 2 == 0 ? 4 : -4);
      CHECK(machine.lane(110 + n) == bits(float(value)));
      CHECK(element(150, n, 16) == half_bits(value));
    }
  }
  SUBCASE("two times 16 f32 alternate") {
    for (unsigned n = 0; n < 16; ++n) {
      machine.fill(16 + n, bits(float(magnitude_of(k_e3m2, n))));
      machine.fill(32 + n, bits(float(magnitude_of(k_e3m2, n + 16))));
    }
    machine.fill(50, bits(1.0F));
    machine.run("v_cvt_scalef32_2xpk16_bf6_f32 v[100:105], v[16:31], v[32:47], v50");
    for (unsigned n = 0; n < 16; ++n) {
      CHECK(element(100, 2 * n, 6) == n);
      CHECK(element(100, 2 * n + 1, 6) == n + 16);
    }
  }
  SUBCASE("stochastic") {
    for (unsigned n = 0; n < 32; ++n)
      machine.fill(16 + n, bits(1.0625F)); // half way between the fp6 values 1.0 and 1.125
    machine.fill(50, 0x00010000);          // its top bit reaches bit 31 after 15 steps
    machine.fill(51, bits(1.0F));
    machine.run("v_cvt_scalef32_sr_pk32_fp6_f32 v[100:105], v[16:47], v50, v51");
    for (unsigned n = 0; n < 16; ++n) {
      CAPTURE(n);
      CHECK(element(100, n, 6) == (n == 15 ? 0x09 : 0x08));
    }
  }
}
