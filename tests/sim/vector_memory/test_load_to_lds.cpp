#include <doctest/doctest.h>

#include "sim/vector_memory/memory_pattern.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

void set_up(OneWave& machine, std::uint32_t num_records = 8192) {
  fill_memory(machine);
  Wave& wave = machine.wave();
  wave.scalar[4] = std::uint32_t(machine.memory().base);
  wave.scalar[5] = std::uint32_t(machine.memory().base >> 32);
  wave.scalar[6] = num_records;
  wave.scalar[7] = 0x00020000;
  for (int lane = 0; lane < 64; ++lane)
    wave.vector[1][lane] = 64 * std::uint32_t(63 - lane);
  wave.scalar[k_m0] = 0x400;
}

} // namespace

TEST_CASE(
    "buffer_load ... lds: M0 + offset + 4 * lane; the offset counts in memory too; lanes that are off leave a hole") {
  OneWave machine(Target::gfx942);
  set_up(machine);
  Wave& wave = machine.wave();
  wave.scalar[0] = 1000;
  wave.set_exec(~std::uint64_t{0x10});
  machine.run("buffer_load_dword v1, s[4:7], s0 offen offset:16 lds");
  for (int lane = 0; lane < 64; ++lane) {
    const auto got = machine.lds_at<std::uint32_t>((0x400 + 16) / 4 + std::size_t(lane));
    CHECK(got == (lane == 4 ? k_untouched : pattern(64 * std::uint64_t(63 - lane) + 1016)));
  }
  CHECK(machine.lds_at<std::uint32_t>((0x400 + 16) / 4 - 1) == k_untouched);
  CHECK(machine.lds_at<std::uint32_t>((0x400 + 16) / 4 + 64) == k_untouched);
}

TEST_CASE("bytes and shorts arrive as dwords") {
  OneWave machine(Target::gfx942);
  set_up(machine);
  machine.run("buffer_load_ushort v1, s[4:7], 0 offen offset:4 lds\n s_waitcnt vmcnt(0)\n s_mov_b32 m0, 0x800\n"
              "buffer_load_sbyte v1, s[4:7], 0 offen lds");
  CHECK(machine.lds_at<std::uint32_t>(0x404 / 4 + 60) == pattern(64 * 3 + 4, 2));
  const auto byte = std::int8_t(pattern(64 * 3, 1));
  CHECK(machine.lds_at<std::int32_t>(0x800 / 4 + 60) == byte);
}

TEST_CASE("gfx950: 3 and 4 dwords per lane in slots of 16 bytes") {
  OneWave machine(Target::gfx950);
  set_up(machine);
  machine.run("buffer_load_dwordx4 v1, s[4:7], 0 offen lds\n s_waitcnt vmcnt(0)\n s_mov_b32 m0, 0x1000\n"
              "buffer_load_dwordx3 v1, s[4:7], 0 offen lds");
  for (int lane = 0; lane < 64; ++lane)
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t expected = pattern(64 * std::uint64_t(63 - lane) + 4 * std::uint64_t(i));
      const std::size_t slot = 4 * std::size_t(lane) + std::size_t(i);
      CHECK(machine.lds_at<std::uint32_t>(0x400 / 4 + slot) == expected);
      CHECK(machine.lds_at<std::uint32_t>(0x1000 / 4 + slot) == (i < 3 ? expected : k_untouched));
    }
}

TEST_CASE("out of the buffer's range zeros arrive") {
  OneWave machine(Target::gfx950);
  set_up(machine, 64 * 10 + 8); // of lane 53 two dwords are in range, of lanes 0..52 nothing
  machine.run("buffer_load_dwordx4 v1, s[4:7], 0 offen lds");
  CHECK(machine.lds_at<std::uint32_t>(0x400 / 4 + 4 * 54 + 3) == pattern(64 * 9 + 12));
  CHECK(machine.lds_at<std::uint32_t>(0x400 / 4 + 4 * 53 + 1) == pattern(64 * 10 + 4));
  CHECK(machine.lds_at<std::uint32_t>(0x400 / 4 + 4 * 53 + 2) == 0);
  CHECK(machine.lds_at<std::uint32_t>(0x400 / 4 + 4 * 52) == 0);
}

TEST_CASE("the data is in LDS from the vmcnt wait on, whatever M0 has become") {
  OneWave machine(Target::gfx942);
  set_up(machine);
  machine.run_without_completing("buffer_load_dword v1, s[4:7], 0 offen lds\n s_mov_b32 m0, 0\n s_waitcnt lgkmcnt(0)");
  CHECK(machine.lds_at<std::uint32_t>(0x400 / 4) == k_untouched);
  machine.run_without_completing("s_waitcnt vmcnt(0)");
  CHECK(machine.lds_at<std::uint32_t>(0x400 / 4) == pattern(64 * 63));
}

TEST_CASE("global_load_lds and scratch_load_lds") {
  OneWave machine(Target::gfx950);
  set_up(machine);
  Wave& wave = machine.wave();
  set_addresses(machine, 2, 4096, 32);
  wave.set_scalar64(8, machine.memory().base + 1);
  wave.scratch_base = machine.memory().base + 1024;
  wave.scratch_bytes_per_lane = 32;
  machine.run("global_load_lds_dwordx4 v[2:3], off offset:-16\n s_waitcnt vmcnt(0)\n s_mov_b32 m0, 0x1000\n"
              "global_load_lds_dword v1, s[8:9]\n s_waitcnt vmcnt(0)\n s_mov_b32 m0, 0x2000\n"
              "scratch_load_lds_dword off, off offset:8");
  for (int lane = 0; lane < 64; ++lane) {
    const auto n = std::uint64_t(lane);
    CHECK(machine.lds_at<std::uint32_t>((0x400 - 16) / 4 + 4 * n + 3) == pattern(4096 + 32 * n - 16 + 12));
    CHECK(machine.lds_at<std::uint32_t>(0x1000 / 4 + n) == pattern(64 * (63 - n) + 1));
    CHECK(machine.lds_at<std::uint32_t>(0x2008 / 4 + n) == pattern(1024 + 32 * n + 8));
  }
}

TEST_CASE("faults: LDS too small, M0 not a dword, widths the target lacks") {
  OneWave machine(Target::gfx942, 8192, 0x400 + 256);
  set_up(machine);
  machine.run("buffer_load_dword v1, s[4:7], 0 offen lds");
  Fault fault = machine.run_to_fault("buffer_load_dword v1, s[4:7], 0 offen offset:4 lds");
  CHECK(fault.kind == FaultKind::lds_out_of_bounds);
  CHECK(fault.lane == 63);
  CHECK(fault.address == 0x400 + 4 + 63 * 4);
  machine.wave().scalar[k_m0] = 0x402;
  CHECK(machine.run_to_fault("buffer_load_dword v1, s[4:7], 0 offen lds").kind == FaultKind::misaligned);
  machine.wave().scalar[k_m0] = 0;
  set_addresses(machine, 2, 0, 4);
  fault = machine.run_to_fault("global_load_lds_dword v[2:3], off offset:-4");
  CHECK(fault.kind == FaultKind::lds_out_of_bounds);
}
