#include <doctest/doctest.h>

#include "sim/harness.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// v2 holds 1, 2, ..., 64 as in the examples of the ISA guide.
OneWave machine_with_lane_numbers() {
  OneWave machine(Target::gfx942);
  for (int lane = 0; lane < 64; ++lane)
    machine.wave().vector[2][lane] = std::uint32_t(lane + 1);
  return machine;
}

std::vector<std::uint32_t> first_32(const Wave& wave, int reg) {
  return {wave.vector[reg], wave.vector[reg] + 32};
}

} // namespace

TEST_CASE("ds_permute sends, ds_bpermute fetches: the guide's examples") {
  OneWave machine = machine_with_lane_numbers();
  Wave& wave = machine.wave();
  const std::uint32_t a = 0xa, b = 0xb, c = 0xc, d = 0xd;
  const auto set_up = [&](std::uint64_t exec) {
    wave.set_exec(exec);
    const std::uint32_t values[] = {a, b, c, d};
    const std::uint32_t addresses[] = {0, 0, 12, 4};
    for (int lane = 0; lane < 4; ++lane) {
      wave.vector[2][lane] = values[lane];
      wave.vector[1][lane] = addresses[lane];
      wave.vector[8][lane] = 99;
    }
  };
  const auto result = [&] { return std::vector<std::uint32_t>{wave.vector[8], wave.vector[8] + 4}; };
  set_up(0xf);
  machine.run("ds_permute_b32 v8, v1, v2");
  CHECK(result() == std::vector<std::uint32_t>{b, d, 0, c});
  set_up(0xa);
  machine.run("ds_permute_b32 v8, v1, v2");
  CHECK(result() == std::vector<std::uint32_t>{99, d, 99, 0});
  set_up(0xf);
  machine.run("ds_bpermute_b32 v8, v1, v2");
  CHECK(result() == std::vector<std::uint32_t>{a, a, d, b});
  set_up(0xa);
  machine.run("ds_bpermute_b32 v8, v1, v2");
  CHECK(result() == std::vector<std::uint32_t>{99, 0, 99, b});
}

TEST_CASE("ds_bpermute takes the address modulo 256 with the offset, over all 64 lanes") {
  OneWave machine = machine_with_lane_numbers();
  Wave& wave = machine.wave();
  for (int lane = 0; lane < 64; ++lane)
    wave.vector[1][lane] = std::uint32_t(4 * (63 - lane) + 256 * lane + 3);
  machine.run("ds_bpermute_b32 v8, v1, v2 offset:8");
  for (int lane = 0; lane < 64; ++lane)
    CHECK(wave.vector[8][lane] == std::uint32_t((63 - lane + 2) % 64 + 1));
}

TEST_CASE("the result of ds_bpermute is visible at the wait") {
  OneWave machine = machine_with_lane_numbers();
  for (int lane = 0; lane < 64; ++lane)
    machine.wave().vector[1][lane] = 0;
  machine.run_without_completing("ds_bpermute_b32 v8, v1, v2");
  CHECK(machine.wave().vector[8][5] == 0xcdcdcdcd);
  machine.run_without_completing("s_waitcnt lgkmcnt(0)");
  CHECK(machine.wave().vector[8][5] == 1);
}

TEST_CASE("ds_swizzle: the guide's lists") {
  using Lanes = std::vector<std::uint32_t>;
  struct Case {
    const char* offset;
    Lanes expected;
  };
  const Case cases[] = {
      {"0xe000", {0x1, 0x11, 0x9, 0x19, 0x5, 0x15, 0xd, 0x1d, 0x3, 0x13, 0xb, 0x1b, 0x7, 0x17, 0xf,  0x1f,
                  0x2, 0x12, 0xa, 0x1a, 0x6, 0x16, 0xe, 0x1e, 0x4, 0x14, 0xc, 0x1c, 0x8, 0x18, 0x10, 0x20}},
      {"0xe010", {0x1,  0x9,  0x5,  0xd,  0x3,  0xb,  0x7,  0xf,  0x2,  0xa,  0x6,  0xe,  0x4,  0xc,  0x8,  0x10,
                  0x11, 0x19, 0x15, 0x1d, 0x13, 0x1b, 0x17, 0x1f, 0x12, 0x1a, 0x16, 0x1e, 0x14, 0x1c, 0x18, 0x20}},
      {"0xc020", {0x2,  0x3,  0x4,  0x5,  0x6,  0x7,  0x8,  0x9,  0xa,  0xb,  0xc,  0xd,  0xe,  0xf,  0x10, 0x11,
                  0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x1}},
      {"0xc420", {0x20, 0x1,  0x2,  0x3,  0x4,  0x5,  0x6,  0x7,  0x8,  0x9,  0xa,  0xb,  0xc,  0xd,  0xe,  0xf,
                  0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f}},
      {"0xc021", {0x1,  0x4,  0x3,  0x6,  0x5,  0x8,  0x7,  0xa,  0x9,  0xc,  0xb,  0xe,  0xd,  0x10, 0xf,  0x12,
                  0x11, 0x14, 0x13, 0x16, 0x15, 0x18, 0x17, 0x1a, 0x19, 0x1c, 0x1b, 0x1e, 0x1d, 0x20, 0x1f, 0x2}},
      {"0xc421", {0x1f, 0x2,  0x1,  0x4,  0x3,  0x6,  0x5,  0x8,  0x7,  0xa,  0x9,  0xc,  0xb,  0xe,  0xd,  0x10,
                  0xf,  0x12, 0x11, 0x14, 0x13, 0x16, 0x15, 0x18, 0x17, 0x1a, 0x19, 0x1c, 0x1b, 0x1e, 0x1d, 0x20}},
      // quad permutation 1, 2, 3, 0
      {"0x8039", {2,  3,  4,  1,  6,  7,  8,  5,  10, 11, 12, 9,  14, 15, 16, 13,
                  18, 19, 20, 17, 22, 23, 24, 21, 26, 27, 28, 25, 30, 31, 32, 29}},
      // exchange of neighbouring groups of 16: xor 0x10, and 0x1f
      {"0x401f", {17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32,
                  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16}},
      // broadcast of lane 5 of each 8: or 5, and 0x18
      {"0xb8", {6,  6,  6,  6,  6,  6,  6,  6,  14, 14, 14, 14, 14, 14, 14, 14,
                22, 22, 22, 22, 22, 22, 22, 22, 30, 30, 30, 30, 30, 30, 30, 30}},
  };
  for (const Case& test : cases) {
    CAPTURE(test.offset);
    OneWave machine = machine_with_lane_numbers();
    machine.run(std::string("ds_swizzle_b32 v8, v2 offset:") + test.offset);
    CHECK(first_32(machine.wave(), 8) == test.expected);
    int wrong = 0; // the upper half is exchanged the same way
    for (int lane = 32; lane < 64; ++lane)
      wrong += machine.wave().vector[8][lane] != test.expected[std::size_t(lane - 32)] + 32;
    CHECK(wrong == 0);
  }
}

TEST_CASE("ds_swizzle gives 0 for a lane that is off") {
  OneWave machine = machine_with_lane_numbers();
  machine.wave().set_exec(0xfffe);
  machine.run("ds_swizzle_b32 v8, v2 offset:0x8000"); // every lane of four from the first
  CHECK(machine.wave().vector[8][1] == 0);
  CHECK(machine.wave().vector[8][5] == 5);
  CHECK(machine.wave().vector[8][0] == 0xcdcdcdcd);
}
