// Moves between registers, lanes and register files.

#include <doctest/doctest.h>

#include <bit>

#include "sim/vector/lanes.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("v_readlane takes the lane number modulo 64 and ignores EXEC") {
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return 1000 + lane; });
  machine.wave().set_exec(1);
  machine.run("v_readlane_b32 s4, v1, 5");
  CHECK(machine.wave().scalar[4] == 1005);
  machine.wave().scalar[6] = 64 + 9;
  machine.run("v_readlane_b32 s4, v1, s6");
  CHECK(machine.wave().scalar[4] == 1009);
  machine.wave().scalar[6] = 0xffffffff;
  machine.run("v_readlane_b32 s4, v1, s6");
  CHECK(machine.wave().scalar[4] == 1063);
  machine.wave().scalar[k_m0] = 3;
  machine.run("v_readlane_b32 vcc_lo, v1, m0");
  CHECK(machine.wave().scalar[k_vcc_lo] == 1003);
}

TEST_CASE("v_readfirstlane reads the lowest lane in EXEC, lane 0 if there is none") {
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return 1000 + lane; });
  machine.wave().set_exec(0xff00000000000000);
  machine.run("v_readfirstlane_b32 s4, v1");
  CHECK(machine.wave().scalar[4] == 1056);
  machine.wave().set_exec(0);
  machine.run("v_readfirstlane_b32 s4, v1");
  CHECK(machine.wave().scalar[4] == 1000);
}

TEST_CASE("v_writelane writes one lane, in EXEC or not") {
  VectorCase machine;
  machine.fill(0, k_untouched);
  machine.wave().set_exec(0);
  machine.wave().scalar[5] = 77;
  machine.wave().scalar[k_m0] = 64 + 2;
  machine.run("v_writelane_b32 v0, s5, m0\n v_writelane_b32 v0, -1, 63");
  for (unsigned lane = 0; lane < 64; ++lane)
    CHECK(machine.lane(0, lane) == (lane == 2 ? 77 : lane == 63 ? 0xffffffff : k_untouched));
}

TEST_CASE("v_mbcnt counts bits of lower lanes, with lanes off too") {
  VectorCase machine;
  machine.run("v_mbcnt_lo_u32_b32 v0, -1, 0\n v_mbcnt_hi_u32_b32 v0, -1, v0");
  for (unsigned lane = 0; lane < 64; ++lane)
    CHECK(machine.lane(0, lane) == lane);
  const std::uint64_t mask = 0xf00f00fff0f01248;
  machine.wave().set_vcc(mask);
  machine.wave().set_exec(mask);
  machine.fill(0, k_untouched);
  machine.run("v_mbcnt_lo_u32_b32 v0, vcc_lo, 5\n v_mbcnt_hi_u32_b32 v0, vcc_hi, v0");
  for (unsigned lane = 0; lane < 64; ++lane) {
    const std::uint64_t below = mask & ((std::uint64_t{1} << lane) - 1);
    CHECK(machine.lane(0, lane) == (((mask >> lane) & 1) != 0 ? 5U + unsigned(std::popcount(below)) : k_untouched));
  }
}

TEST_CASE("v_cndmask chooses by the lane's bit") {
  VectorCase machine;
  machine.fill(1, 1);
  machine.fill(2, 2);
  machine.wave().set_vcc(0xaaaaaaaa00000001);
  machine.run("v_cndmask_b32_e32 v0, v1, v2, vcc");
  CHECK(machine.lane(0, 0) == 2);
  CHECK(machine.lane(0, 1) == 1);
  CHECK(machine.lane(0, 32) == 1);
  CHECK(machine.lane(0, 33) == 2);
  machine.wave().set_scalar64(20, 0x2);
  machine.run("v_cndmask_b32_e64 v0, 0, 1.0, s[20:21]");
  CHECK(machine.lane(0, 0) == 0);
  CHECK(machine.lane(0, 1) == bits(1.0F));
}

TEST_CASE("accumulation registers") {
  VectorCase machine;
  machine.fill(1, 42);
  machine.run("v_accvgpr_write_b32 a7, v1\n v_accvgpr_mov_b32 a8, a7\n v_accvgpr_read_b32 v0, a8\n"
              "v_accvgpr_write_b32 a9, 1.0\n v_accvgpr_write_b32 a10, -3");
  CHECK(machine.lane(k_accumulator_base + 7) == 42);
  CHECK(machine.lane(0) == 42);
  CHECK(machine.lane(k_accumulator_base + 9) == bits(1.0F));
  CHECK(machine.lane(k_accumulator_base + 10) == 0xfffffffd);
  machine.wave().set_exec(1);
  machine.run("v_accvgpr_write_b32 a7, 0");
  CHECK(machine.lane(k_accumulator_base + 7, 0) == 0);
  CHECK(machine.lane(k_accumulator_base + 7, 1) == 42);
}

TEST_CASE("v_swap exchanges in the lanes of EXEC") {
  VectorCase machine;
  machine.fill(0, 1);
  machine.fill(1, 2);
  machine.wave().set_exec(2);
  machine.run("v_swap_b32 v0, v1");
  CHECK(machine.lane(0, 0) == 1);
  CHECK(machine.lane(0, 1) == 2);
  CHECK(machine.lane(1, 1) == 1);
}

TEST_CASE("v_pk_mov picks a dword of each source") {
  VectorCase machine;
  machine.fill_wide(2, 0x0000000200000001);
  machine.fill_wide(4, 0x0000000400000003);
  machine.run("v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[0,1]");
  CHECK(machine.wide(0) == 0x0000000400000001);
  machine.run("v_pk_mov_b32 v[0:1], v[2:3], v[4:5] op_sel:[1,0]");
  CHECK(machine.wide(0) == 0x0000000300000002);
  machine.wave().set_scalar64(6, 0x0000000b0000000a);
  machine.run("v_pk_mov_b32 v[0:1], s[6:7], s[6:7] op_sel:[0,1]");
  CHECK(machine.wide(0) == 0x0000000b0000000a);
  // In place: both are read before either is written.
  machine.run("v_pk_mov_b32 v[2:3], v[2:3], v[2:3] op_sel:[1,0]");
  CHECK(machine.wide(2) == 0x0000000100000002);
}

TEST_CASE("v_permlane32_swap and v_permlane16_swap exchange rows") {
  VectorCase machine(Target::gfx950);
  const auto reset = [&] {
    machine.set_each(0, [](unsigned lane) { return lane; });
    machine.set_each(1, [](unsigned lane) { return 100 + lane; });
  };
  SUBCASE("32") {
    reset();
    machine.run("v_permlane32_swap_b32_e32 v0, v1");
    for (unsigned lane = 0; lane < 32; ++lane) {
      CHECK(machine.lane(0, lane) == lane);
      CHECK(machine.lane(0, lane + 32) == 100 + lane);
      CHECK(machine.lane(1, lane) == lane + 32);
      CHECK(machine.lane(1, lane + 32) == 132 + lane);
    }
  }
  SUBCASE("16") {
    reset();
    machine.run("v_permlane16_swap_b32_e32 v0, v1");
    for (unsigned lane = 0; lane < 64; ++lane) {
      const bool odd_row = lane / 16 % 2 == 1;
      CHECK(machine.lane(0, lane) == (odd_row ? 100 + lane - 16 : lane));
      CHECK(machine.lane(1, lane) == (odd_row ? 100 + lane : lane + 16));
    }
  }
  SUBCASE("one register with itself") {
    reset();
    machine.run("v_permlane32_swap_b32_e32 v0, v0");
    CHECK(machine.lane(0, 0) == 32);
    CHECK(machine.lane(0, 32) == 0);
  }
  SUBCASE("lanes outside EXEC") {
    machine.wave().set_exec(0x0000000200000001); // lane 0 and lane 33
    reset();
    machine.run("v_permlane32_swap_b32_e32 v0, v1");
    CHECK(machine.lane(1, 0) == 100); // its partner, lane 32, is off
    CHECK(machine.lane(0, 33) == 33);
    machine.run("v_permlane32_swap_b32_e64 v0, v1 bound_ctrl:1");
    CHECK(machine.lane(1, 0) == 0);
    CHECK(machine.lane(0, 33) == 0);
    reset();
    machine.run("v_permlane32_swap_b32_e64 v0, v1 fi:1");
    CHECK(machine.lane(1, 0) == 32);
    CHECK(machine.lane(0, 33) == 101);
    CHECK(machine.lane(0, 32) == 32); // off: not written
  }
}
