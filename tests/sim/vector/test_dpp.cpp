#include <doctest/doctest.h>

#include <functional>

#include "sim/vector/lanes.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr int k_none = -1;

// Runs a move with the control and compares with the lane that each lane should read; k_none: no source.
void check_control(const std::string& control, const std::function<int(int)>& source) {
  CAPTURE(control);
  VectorCase machine;
  for (const bool zero : {false, true}) {
    machine.fill(0, k_untouched);
    machine.set_each(1, [](unsigned lane) { return 100 + lane; });
    machine.run("v_mov_b32_dpp v0, v1 " + control + " row_mask:0xf bank_mask:0xf" + (zero ? " bound_ctrl:0" : ""));
    for (int lane = 0; lane < 64; ++lane) {
      CAPTURE(lane);
      const int from = source(lane);
      CHECK(machine.lane(0, lane) == (from != k_none ? 100U + from : zero ? 0U : k_untouched));
    }
  }
}

} // namespace

TEST_CASE("DPP controls name the lane to read") {
  check_control("quad_perm:[3,0,2,1]", [](int lane) {
    const int from[] = {3, 0, 2, 1};
    return lane / 4 * 4 + from[lane % 4];
  });
  check_control("row_shl:3", [](int lane) { return lane % 16 + 3 < 16 ? lane + 3 : k_none; });
  check_control("row_shr:1", [](int lane) { return lane % 16 >= 1 ? lane - 1 : k_none; });
  check_control("row_shr:15", [](int lane) { return lane % 16 == 15 ? lane - 15 : k_none; });
  check_control("row_ror:4", [](int lane) { return lane / 16 * 16 + (lane % 16 + 12) % 16; });
  check_control("row_mirror", [](int lane) { return lane / 16 * 16 + 15 - lane % 16; });
  check_control("row_half_mirror", [](int lane) { return lane / 8 * 8 + 7 - lane % 8; });
  check_control("row_bcast:15", [](int lane) { return lane < 16 ? k_none : lane / 16 * 16 - 1; });
  check_control("row_bcast:31", [](int lane) { return lane < 32 ? k_none : 31; });
  check_control("row_newbcast:5", [](int lane) { return lane / 16 * 16 + 5; });
  check_control("wave_shl:1", [](int lane) { return lane < 63 ? lane + 1 : k_none; });
  check_control("wave_shr:1", [](int lane) { return lane > 0 ? lane - 1 : k_none; });
  check_control("wave_rol:1", [](int lane) { return (lane + 1) % 64; });
  check_control("wave_ror:1", [](int lane) { return (lane + 63) % 64; });
}

TEST_CASE("an in-place DPP move reads the old values") {
  VectorCase machine;
  machine.set_each(0, [](unsigned lane) { return lane; });
  machine.run("v_mov_b32_dpp v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf");
  CHECK(machine.lane(0, 0) == 0);
  CHECK(machine.lane(0, 1) == 0);
  CHECK(machine.lane(0, 2) == 1);
  CHECK(machine.lane(0, 15) == 14);
  machine.set_each(0, [](unsigned lane) { return lane; });
  machine.run("v_add_u32_dpp v0, v0, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  CHECK(machine.lane(0, 0) == 1);
  CHECK(machine.lane(0, 1) == 1);
  CHECK(machine.lane(0, 2) == 5);
}

TEST_CASE("row and bank masks keep lanes from writing") {
  VectorCase machine;
  machine.fill(0, k_untouched);
  machine.fill(1, 5);
  machine.run("v_mov_b32_dpp v0, v1 row_newbcast:0 row_mask:0xa bank_mask:0x6");
  for (unsigned lane = 0; lane < 64; ++lane) {
    const unsigned row = lane / 16;
    const unsigned bank = lane % 16 / 4;
    const bool written = (row == 1 || row == 3) && (bank == 1 || bank == 2);
    CHECK(machine.lane(0, lane) == (written ? 5 : k_untouched));
  }
}

TEST_CASE("a lane whose source is outside EXEC does not write, or takes 0") {
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return 100 + lane; });
  machine.wave().set_exec(~std::uint64_t{0x4}); // without lane 2
  machine.fill(0, k_untouched);
  machine.run("v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf");
  CHECK(machine.lane(0, 1) == 100);
  CHECK(machine.lane(0, 2) == k_untouched); // not executed
  CHECK(machine.lane(0, 3) == k_untouched); // source lane 2 is off
  CHECK(machine.lane(0, 4) == 103);
  machine.fill(0, k_untouched);
  machine.run("v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0");
  CHECK(machine.lane(0, 2) == k_untouched);
  CHECK(machine.lane(0, 3) == 0);
}

TEST_CASE("arithmetic with DPP leaves lanes without a source alone") {
  VectorCase machine;
  machine.set_each(1, [](unsigned lane) { return bits(float(lane)); });
  machine.fill(2, bits(0.5F));
  machine.fill(0, k_untouched);
  machine.run("v_add_f32_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf");
  CHECK(machine.lane(0, 0) == bits(1.5F));
  CHECK(machine.lane(0, 15) == k_untouched);
  CHECK(machine.lane(0, 62) == bits(63.5F));
  CHECK(machine.lane(0, 63) == k_untouched);
  machine.run("v_sub_f32_dpp v0, -v1, |v2| row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0");
  CHECK(machine.lane(0, 0) == bits(-1.5F));
  CHECK(machine.lane(0, 15) == bits(-0.5F)); // source 0 reads 0
  machine.fill(0, bits(10.0F));
  machine.run("v_fmac_f32_dpp v0, v1, v2 row_newbcast:4 row_mask:0xf bank_mask:0xf");
  CHECK(machine.lane(0, 17) == bits(20.0F));
}

TEST_CASE("a wave sum with DPP, as compilers write it") {
  VectorCase machine;
  machine.set_each(0, [](unsigned lane) { return lane + 1; });
  machine.run("v_add_u32_dpp v0, v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0\n"
              "v_add_u32_dpp v0, v0, v0 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:0\n"
              "v_add_u32_dpp v0, v0, v0 row_shr:4 row_mask:0xf bank_mask:0xe\n"
              "v_add_u32_dpp v0, v0, v0 row_shr:8 row_mask:0xf bank_mask:0xc\n"
              "v_add_u32_dpp v0, v0, v0 row_bcast:15 row_mask:0xa bank_mask:0xf\n"
              "v_add_u32_dpp v0, v0, v0 row_bcast:31 row_mask:0xc bank_mask:0xf\n");
  unsigned sum = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    sum += lane + 1;
    CHECK(machine.lane(0, lane) == sum);
  }
}

TEST_CASE("64-bit moves take DPP row broadcasts") {
  VectorCase machine;
  machine.set_each_wide(2, [](unsigned lane) { return 0x100000000U * lane + 7 * lane; });
  machine.run("v_mov_b64_dpp v[0:1], v[2:3] row_newbcast:3 row_mask:0xf bank_mask:0xf");
  CHECK(machine.wide(0, 0) == 0x300000015);
  CHECK(machine.wide(0, 40) == 0x2300000000U + 7 * 35);
}
