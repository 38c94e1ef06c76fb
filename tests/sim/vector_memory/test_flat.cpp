#include <doctest/doctest.h>

#include "sim/vector_memory/memory_pattern.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

void set_generic(OneWave& machine, int reg, int lane, std::uint64_t address) {
  machine.wave().vector[reg][lane] = std::uint32_t(address);
  machine.wave().vector[reg + 1][lane] = std::uint32_t(address >> 32);
}

// Lanes by turns: device memory byte 4 * lane, LDS byte 4 * lane, private byte 8.
OneWave machine_with_three_spaces() {
  OneWave machine(Target::gfx942);
  fill_memory(machine);
  Wave& wave = machine.wave();
  wave.scratch_base = machine.memory().base + 8192;
  wave.scratch_bytes_per_lane = 16;
  for (int lane = 0; lane < 64; ++lane) {
    const auto offset = 4 * std::uint64_t(lane);
    machine.set_lds<std::uint32_t>(std::size_t(lane), 0x5000u + unsigned(lane));
    if (lane % 3 == 0)
      set_address(machine, 2, lane, std::int64_t(offset));
    else if (lane % 3 == 1)
      set_generic(machine, 2, lane, k_shared_aperture_base + offset);
    else
      set_generic(machine, 2, lane, k_private_aperture_base + 8);
  }
  return machine;
}

} // namespace

TEST_CASE("flat_load goes to memory, LDS or scratch by the lane's address") {
  OneWave machine = machine_with_three_spaces();
  machine.run("flat_load_dword v8, v[2:3]");
  for (int lane = 0; lane < 64; ++lane) {
    const auto place = std::uint64_t(lane);
    const std::uint32_t expected = lane % 3 == 0   ? pattern(4 * place)
                                   : lane % 3 == 1 ? 0x5000u + unsigned(lane)
                                                   : pattern(8192 + 16 * place + 8);
    CHECK(machine.wave().vector[8][lane] == expected);
  }
}

TEST_CASE("flat_store and flat_atomic do so too") {
  OneWave machine = machine_with_three_spaces();
  Wave& wave = machine.wave();
  set_lanes(machine, 4, 100, 1);
  set_lanes(machine, 5, 1, 0);
  machine.run("flat_store_dword v[2:3], v4\n s_waitcnt vmcnt(0) lgkmcnt(0)\n"
              "flat_atomic_add v8, v[2:3], v5 sc0\n s_waitcnt vmcnt(0) lgkmcnt(0)");
  for (int lane = 0; lane < 64; ++lane)
    CHECK(wave.vector[8][lane] == 100u + unsigned(lane));
  CHECK(machine.memory_at<std::uint32_t>(3) == 104);                       // lane 3
  CHECK(machine.lds_at<std::uint32_t>(4) == 105);                          // lane 4
  CHECK(machine.memory_at<std::uint32_t>((8192 + 16 * 5 + 8) / 4) == 106); // lane 5
}

TEST_CASE("a FLAT access is done when both counters have been waited for") {
  OneWave machine = machine_with_three_spaces();
  machine.run_without_completing("flat_load_dword v8, v[2:3]\n s_waitcnt vmcnt(0)");
  CHECK(machine.wave().vector[8][0] == k_untouched);
  machine.run_without_completing("s_waitcnt lgkmcnt(0)");
  CHECK(machine.wave().vector[8][0] == pattern(0));
}

TEST_CASE("FLAT out of bounds in each space") {
  OneWave machine = machine_with_three_spaces();
  machine.wave().set_exec(1 << 4); // in LDS
  set_generic(machine, 2, 4, k_shared_aperture_base + machine.lds().size() - 4);
  machine.run("flat_load_dword v8, v[2:3]");
  Fault fault = machine.run_to_fault("flat_load_dwordx2 v[8:9], v[2:3]");
  CHECK(fault.kind == FaultKind::lds_out_of_bounds);
  CHECK(fault.lane == 4);
  CHECK(fault.address == machine.lds().size() - 4);
  machine.wave().set_exec(1 << 5); // private
  machine.run("flat_load_dword v8, v[2:3] offset:4");
  CHECK(machine.run_to_fault("flat_load_dword v8, v[2:3] offset:5").kind == FaultKind::scratch_out_of_bounds);
  machine.wave().set_exec(1 << 6); // device memory
  set_address(machine, 2, 6, 16384);
  CHECK(machine.run_to_fault("flat_store_dword v[2:3], v4").kind == FaultKind::global_out_of_bounds);
}
