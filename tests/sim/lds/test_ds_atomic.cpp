#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "sim/harness.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint32_t k_mode_keep_subnormals = 0x3f0;

struct Case {
  const char* name; // ds_<operation>_<type>; "_rtn" goes behind the operation
  std::uint64_t memory, data, second, expected;
};

std::string with_return(const std::string& name) {
  return name.substr(0, name.rfind('_')) + "_rtn" + name.substr(name.rfind('_'));
}

// Lane 2 is off. Each active lane works on its own 8 bytes.
void check(const Case& test, bool wide, bool two_operands, bool also_without_return = true) {
  CAPTURE(test.name);
  for (int returns = also_without_return ? 0 : 1; returns < 2; ++returns) {
    OneWave machine(Target::gfx942, 64, 64 * 8);
    Wave& wave = machine.wave();
    wave.set_exec(~std::uint64_t{4});
    for (int lane = 0; lane < 64; ++lane) {
      wave.vector[1][lane] = 8 * unsigned(lane);
      wave.vector[2][lane] = std::uint32_t(test.data);
      wave.vector[3][lane] = std::uint32_t(test.data >> 32);
      wave.vector[4][lane] = std::uint32_t(test.second);
      wave.vector[5][lane] = std::uint32_t(test.second >> 32);
      machine.set_lds<std::uint64_t>(std::size_t(lane), wide ? test.memory : test.memory | 0x5a5a5a5a00000000u);
    }
    std::string text = "ds_" + (returns ? with_return(test.name) : std::string(test.name)) + " ";
    if (returns)
      text += wide ? "v[8:9], " : "v8, ";
    text += wide ? "v1, v[2:3]" : "v1, v2";
    if (two_operands)
      text += wide ? ", v[4:5]" : ", v4";
    machine.run(text);
    const std::uint64_t upper = wide ? 0 : 0x5a5a5a5a00000000u;
    CHECK(machine.lds_at<std::uint64_t>(63) == (test.expected | upper));
    CHECK(machine.lds_at<std::uint64_t>(2) == (test.memory | upper));
    if (returns) {
      CHECK(wave.vector[8][63] == std::uint32_t(test.memory));
      CHECK(wave.vector[9][63] == (wide ? std::uint32_t(test.memory >> 32) : 0xcdcdcdcd));
      CHECK(wave.vector[8][2] == 0xcdcdcdcd);
    }
  }
}

std::uint64_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

} // namespace

TEST_CASE("32-bit integer atomics") {
  for (const Case& test : {
           Case{"add_u32", 0xfffffffe, 5, 0, 3},
           Case{"sub_u32", 3, 5, 0, 0xfffffffe},
           Case{"rsub_u32", 3, 5, 0, 2},
           Case{"inc_u32", 7, 9, 0, 8},
           Case{"inc_u32", 9, 9, 0, 0},
           Case{"dec_u32", 0, 9, 0, 9},
           Case{"dec_u32", 12, 9, 0, 9},
           Case{"dec_u32", 4, 9, 0, 3},
           Case{"min_i32", 0xfffffffd, 2, 0, 0xfffffffd},
           Case{"max_i32", 0xfffffffd, 2, 0, 2},
           Case{"min_u32", 0xfffffffd, 2, 0, 2},
           Case{"max_u32", 0xfffffffd, 2, 0, 0xfffffffd},
           Case{"and_b32", 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00},
           Case{"or_b32", 0xff00ff00, 0x0ff00ff0, 0, 0xfff0fff0},
           Case{"xor_b32", 0xff00ff00, 0x0ff00ff0, 0, 0xf0f0f0f0},
       })
    check(test, false, false);
  check({"mskor_b32", 0x12345678, 0x0000ffff, 0x0000abcd, 0x1234abcd}, false, true);
  check({"cmpst_b32", 5, 5, 77, 77}, false, true); // the first operand is the comparand
  check({"cmpst_b32", 5, 6, 77, 5}, false, true);
  check({"wrxchg_b32", 5, 6, 0, 6}, false, false, false);
  check({"wrap_b32", 10, 4, 100, 6}, false, true, false);
  check({"wrap_b32", 3, 4, 100, 103}, false, true, false);
}

TEST_CASE("64-bit integer atomics") {
  for (const Case& test : {
           Case{"add_u64", 0xffffffffffffffff, 2, 0, 1},
           Case{"sub_u64", 0, 1, 0, 0xffffffffffffffff},
           Case{"rsub_u64", 1, 0x100000000, 0, 0xffffffff},
           Case{"inc_u64", 0xffffffff, 0x100000005, 0, 0x100000000},
           Case{"dec_u64", 0x100000000, 0x100000005, 0, 0xffffffff},
           Case{"min_i64", 0x8000000000000000, 1, 0, 0x8000000000000000},
           Case{"max_i64", 0x8000000000000000, 1, 0, 1},
           Case{"min_u64", 0x8000000000000000, 1, 0, 1},
           Case{"max_u64", 0x8000000000000000, 1, 0, 0x8000000000000000},
           Case{"and_b64", 0xff00000000000001, 0xf000000000000003, 0, 0xf000000000000001},
           Case{"or_b64", 0xff00000000000001, 0xf000000000000003, 0, 0xff00000000000003},
           Case{"xor_b64", 0xff00000000000001, 0xf000000000000003, 0, 0x0f00000000000002},
       })
    check(test, true, false);
  check({"mskor_b64", 0x1111111122222222, 0xffffffff00000000, 0x3333333300000000, 0x3333333322222222}, true, true);
  check({"cmpst_b64", 0x100000005, 0x100000005, 77, 77}, true, true);
  check({"cmpst_b64", 0x100000005, 5, 77, 0x100000005}, true, true);
  check({"wrxchg_b64", 5, 0x600000000, 0, 0x600000000}, true, false, false);
}

TEST_CASE("float atomics: sums, order of zeros and NaNs") {
  constexpr std::uint64_t k_quiet = 0x7fc00001, k_signaling = 0x7f800001, k_quieted = 0x7fc00001;
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Case& test : {
           Case{"add_f32", bits(1.5f), bits(2.25f), 0, bits(3.75f)},
           Case{"add_f32", bits(1.0f), bits(0x1p-24f), 0, bits(1.0f)}, // tie to even
           Case{"add_f32", bits(-0.0f), bits(0.0f), 0, bits(0.0f)},
           Case{"add_f32", bits(infinity), bits(-infinity), 0, 0x7fc00000},
           Case{"add_f32", k_signaling, bits(1.0f), 0, k_quieted},
           Case{"add_f32", bits(1.0f), 0xffc00123, 0, 0xffc00123},
           Case{"add_f32", bits(0x1p-149f), bits(0x1p-149f), 0, bits(0x1p-148f)}, // subnormals kept
           Case{"min_f32", bits(2.0f), bits(-3.0f), 0, bits(-3.0f)},
           Case{"min_f32", bits(0.0f), bits(-0.0f), 0, bits(-0.0f)},
           Case{"min_f32", k_quiet, bits(4.0f), 0, bits(4.0f)},
           Case{"min_f32", bits(4.0f), k_signaling, 0, k_quieted},
           Case{"max_f32", bits(2.0f), bits(-3.0f), 0, bits(2.0f)},
           Case{"max_f32", bits(-0.0f), bits(0.0f), 0, bits(0.0f)},
           Case{"max_f32", bits(4.0f), k_quiet, 0, bits(4.0f)},
       })
    check(test, false, false);
  check({"cmpst_f32", bits(-0.0f), bits(0.0f), 77, 77}, false, true); // zeros are equal
  check({"cmpst_f32", k_quiet, k_quiet, 77, k_quiet}, false, true);   // a NaN equals nothing
  for (const Case& test : {
           Case{"add_f64", bits(1.5), bits(0x1p-52), 0, bits(1.5 + 0x1p-52)},
           Case{"min_f64", bits(2.0), bits(-3.0), 0, bits(-3.0)},
           Case{"max_f64", bits(2.0), bits(-3.0), 0, bits(2.0)},
       })
    check(test, true, false);
  check({"cmpst_f64", bits(2.0), bits(2.0), bits(9.0), bits(9.0)}, true, true);
}

TEST_CASE("packed half sums") {
  // f16: 1.0 + 2.0 = 3.0 low; 65504 + 65504 overflows high
  check({"pk_add_f16", 0x7bff3c00, 0x7bff4000, 0, 0x7c004200}, false, false);
  // smallest subnormal twice; 1 + 2^-11 is a tie that stays even
  check({"pk_add_f16", 0x3c000001, 0x10000001, 0, 0x3c000002}, false, false);
  // bf16: 1.0 + 2.0; 1.0 + 2^-8 is a tie that stays even
  check({"pk_add_bf16", 0x3f803f80, 0x3b804000, 0, 0x3f804040}, false, false);
}

TEST_CASE("MODE decides about binary32 subnormals of ds_add_f32") {
  for (const bool keep : {true, false}) {
    OneWave machine(Target::gfx942);
    Wave& wave = machine.wave();
    wave.mode = keep ? k_mode_keep_subnormals : k_mode_keep_subnormals & ~0x30u;
    wave.set_exec(1);
    wave.vector[1][0] = 0;
    wave.vector[2][0] = 0x00000001;
    machine.set_lds<std::uint32_t>(0, 0x00000001);
    machine.run("ds_add_f32 v1, v2");
    CHECK(machine.lds_at<std::uint32_t>(0) == (keep ? 2u : 0u));
  }
}

TEST_CASE("lanes on one address follow each other") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  for (int lane = 0; lane < 64; ++lane) {
    wave.vector[1][lane] = 16;
    wave.vector[2][lane] = 1u + unsigned(lane);
  }
  machine.set_lds<std::uint32_t>(5, 100);
  machine.run("ds_add_rtn_u32 v8, v1, v2 offset:4");
  CHECK(machine.lds_at<std::uint32_t>(5) == 100 + 64 * 65 / 2);
  for (int lane = 0; lane < 64; ++lane)
    CHECK(wave.vector[8][lane] == 100u + unsigned(lane) * unsigned(lane + 1) / 2);
}

TEST_CASE("atomics happen at the wait, need aligned addresses and stay inside LDS") {
  OneWave machine(Target::gfx942, 64, 64);
  Wave& wave = machine.wave();
  wave.set_exec(1);
  wave.vector[1][0] = 0;
  wave.vector[2][0] = 1;
  machine.set_lds<std::uint32_t>(0, 5);
  machine.run_without_completing("ds_add_u32 v1, v2");
  CHECK(machine.lds_at<std::uint32_t>(0) == 5);
  machine.run_without_completing("s_waitcnt lgkmcnt(0)");
  CHECK(machine.lds_at<std::uint32_t>(0) == 6);
  CHECK(machine.run_to_fault("ds_add_u32 v1, v2 offset:2").kind == FaultKind::misaligned);
  CHECK(machine.run_to_fault("ds_add_u64 v1, v[2:3] offset:4").kind == FaultKind::misaligned);
  CHECK(machine.run_to_fault("ds_add_u32 v1, v2 offset:64").kind == FaultKind::lds_out_of_bounds);
}

TEST_CASE("exchanges of two values") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  wave.set_exec(2);
  wave.vector[1][1] = 16;
  for (int i = 0; i < 4; ++i)
    wave.vector[4 + i][1] = 100u + unsigned(i);
  machine.set_lds<std::uint32_t>(4 + 3, 1);
  machine.set_lds<std::uint32_t>(4 + 5, 2);
  machine.run("ds_wrxchg2_rtn_b32 v[8:9], v1, v4, v5 offset0:3 offset1:5");
  CHECK(wave.vector[8][1] == 1);
  CHECK(wave.vector[9][1] == 2);
  CHECK(machine.lds_at<std::uint32_t>(4 + 3) == 100);
  CHECK(machine.lds_at<std::uint32_t>(4 + 5) == 101);
  machine.set_lds<std::uint64_t>(2 + 64, 0x1122334455667788);
  machine.set_lds<std::uint64_t>(2 + 128, 0x99aabbccddeeff00);
  machine.run("ds_wrxchg2st64_rtn_b64 v[8:11], v1, v[4:5], v[6:7] offset0:1 offset1:2");
  CHECK(wave.vector[9][1] == 0x11223344);
  CHECK(wave.vector[10][1] == 0xddeeff00);
  CHECK(machine.lds_at<std::uint64_t>(2 + 64) == (std::uint64_t{101} << 32 | 100));
  CHECK(machine.lds_at<std::uint64_t>(2 + 128) == (std::uint64_t{103} << 32 | 102));
  wave.vector[4][1] = 0x80000009; // exchanged, without the top bit
  wave.vector[5][1] = 0x00000007; // left alone
  machine.set_lds<std::uint32_t>(4, 50);
  machine.set_lds<std::uint32_t>(5, 60);
  machine.run("ds_condxchg32_rtn_b64 v[8:9], v1, v[4:5]");
  CHECK(wave.vector[8][1] == 50);
  CHECK(wave.vector[9][1] == 60);
  CHECK(machine.lds_at<std::uint32_t>(4) == 9);
  CHECK(machine.lds_at<std::uint32_t>(5) == 60);
}
