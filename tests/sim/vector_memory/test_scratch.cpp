#include <doctest/doctest.h>

#include "sim/vector_memory/memory_pattern.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// 64 bytes of scratch per lane from byte 4096 of the memory on.
OneWave machine_with_scratch() {
  OneWave machine(Target::gfx942);
  machine.wave().scratch_base = machine.memory().base + 4096;
  machine.wave().scratch_bytes_per_lane = 64;
  return machine;
}

} // namespace

TEST_CASE("scratch: what a lane stores it loads again, with every address form") {
  OneWave machine = machine_with_scratch();
  Wave& wave = machine.wave();
  set_lanes(machine, 4, 1000, 1);
  set_lanes(machine, 5, 2000, 1);
  set_lanes(machine, 1, 8, 0);
  wave.vector[1][7] = 40;
  wave.scalar[32] = 4;
  machine.run("scratch_store_dwordx2 off, v[4:5], s32 offset:4\n" // private bytes 8..15
              "s_waitcnt vmcnt(0)\n"
              "scratch_load_dword v8, off, s32 offset:8\n"         // 12
              "scratch_load_dword v9, off, off offset:8\n"         // 8
              "scratch_load_dword v10, v1, off offset:4\n"         // 12, lane 7: 44
              "scratch_load_dwordx2 v[12:13], v1, s32 offset:-4\n" // 8, lane 7: 40
              "s_waitcnt vmcnt(0)");
  for (int lane = 0; lane < 64; ++lane) {
    const auto value = std::uint32_t(lane);
    CHECK(wave.vector[8][lane] == 2000 + value);
    CHECK(wave.vector[9][lane] == 1000 + value);
    CHECK(wave.vector[10][lane] == (lane == 7 ? k_untouched : 2000 + value));
    CHECK(wave.vector[12][lane] == (lane == 7 ? k_untouched : 1000 + value));
    CHECK(wave.vector[13][lane] == (lane == 7 ? k_untouched : 2000 + value));
  }
}

TEST_CASE("scratch widths and halves") {
  OneWave machine = machine_with_scratch();
  Wave& wave = machine.wave();
  for (int i = 0; i < 4; ++i)
    set_lanes(machine, 4 + i, 0x83828180u + 0x04040404u * unsigned(i), 0);
  machine.run("scratch_store_dwordx4 off, v[4:7], off offset:16\n s_waitcnt vmcnt(0)\n"
              "scratch_load_dwordx3 v[8:10], off, off offset:18\n"
              "scratch_load_sbyte v11, off, off offset:17\n"
              "scratch_load_short_d16_hi v12, off, off offset:17\n"
              "scratch_store_short_d16_hi off, v4, off offset:40\n"
              "scratch_store_byte off, v4, off offset:42\n s_waitcnt vmcnt(0)\n"
              "scratch_load_dword v13, off, off offset:40");
  CHECK(wave.vector[8][9] == 0x85848382);
  CHECK(wave.vector[10][9] == 0x8d8c8b8a);
  CHECK(wave.vector[11][9] == 0xffffff81);
  CHECK(wave.vector[12][9] == 0x82810000);
  CHECK(wave.vector[13][9] == 0xcd808382);
}

TEST_CASE("scratch out of the lane's bytes is a fault that names the private offset") {
  OneWave machine = machine_with_scratch();
  Wave& wave = machine.wave();
  machine.run("scratch_load_dword v8, off, off offset:60");
  Fault fault = machine.run_to_fault("scratch_load_dword v8, off, off offset:61");
  CHECK(fault.kind == FaultKind::scratch_out_of_bounds);
  CHECK(fault.lane == 0);
  CHECK(fault.address == 61);
  wave.scalar[32] = 0;
  CHECK(machine.run_to_fault("scratch_store_dword off, v4, s32 offset:-4").kind == FaultKind::scratch_out_of_bounds);
  wave.scratch_base = 0;
  fault = machine.run_to_fault("scratch_load_dword v8, off, off");
  CHECK(fault.kind == FaultKind::scratch_out_of_bounds);
  CHECK(fault.explanation.find("0 bytes of scratch") != std::string::npos);
}
