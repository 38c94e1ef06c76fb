#include <doctest/doctest.h>

#include <string>

#include "sim/harness.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("s_store writes at its wait, what the registers held at its issue") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  machine.set_memory<std::uint32_t>(4, 7);
  wave.set_scalar64(0, machine.memory().base);
  wave.scalar[20] = 11;
  machine.run_without_completing("s_store_dword s20, s[0:1], 0x10");
  wave.scalar[20] = 12;
  CHECK(machine.memory_at<std::uint32_t>(4) == 7);
  machine.run_without_completing("s_waitcnt lgkmcnt(1)"); // scalar accesses end in no order: 1 proves nothing
  CHECK(machine.memory_at<std::uint32_t>(4) == 7);
  machine.run_without_completing("s_waitcnt lgkmcnt(0)");
  CHECK(machine.memory_at<std::uint32_t>(4) == 11);
}

TEST_CASE("s_store widths and offsets") {
  OneWave machine(Target::gfx950);
  Wave& wave = machine.wave();
  wave.set_scalar64(0, machine.memory().base + 64);
  wave.scalar[2] = 8;
  for (unsigned i = 0; i < 4; ++i)
    wave.scalar[12 + i] = 100 + i;
  machine.run("s_store_dword s12, s[0:1], -0x4 glc\ns_store_dwordx2 s[12:13], s[0:1], s2\n"
              "s_store_dwordx4 s[12:15], s[0:1], s2 offset:0x8\ns_store_dword s15, s[0:1], 0x3"); // low bits: ignored
  CHECK(machine.memory_at<std::uint32_t>(15) == 100);
  CHECK(machine.memory_at<std::uint32_t>(16) == 103);
  CHECK(machine.memory_at<std::uint32_t>(18) == 100);
  CHECK(machine.memory_at<std::uint32_t>(19) == 101);
  for (unsigned i = 0; i < 4; ++i)
    CHECK(machine.memory_at<std::uint32_t>(20 + i) == 100 + i);
}

TEST_CASE("s_store outside every allocation is a fault that names the address") {
  OneWave machine(Target::gfx942, 64);
  machine.wave().set_scalar64(0, machine.memory().base + 60);
  const Fault fault = machine.run_to_fault("s_store_dwordx2 s[4:5], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)");
  CHECK(fault.kind == FaultKind::global_out_of_bounds);
  CHECK(fault.address == machine.memory().base + 60);
}

TEST_CASE("s_buffer_store drops the dwords behind the descriptor's size") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  machine.set_memory<std::uint32_t>(2, 7);
  wave.set_scalar64(4, machine.memory().base);
  wave.scalar[6] = 8; // bytes, since the stride is 0
  wave.scalar[7] = 0;
  for (unsigned i = 0; i < 4; ++i)
    wave.scalar[12 + i] = 100 + i;
  machine.run("s_buffer_store_dwordx4 s[12:15], s[4:7], 0x0\ns_buffer_store_dword s12, s[4:7], 0x8");
  CHECK(machine.memory_at<std::uint32_t>(0) == 100);
  CHECK(machine.memory_at<std::uint32_t>(1) == 101);
  CHECK(machine.memory_at<std::uint32_t>(2) == 7);
}

TEST_CASE("s_atomic: what each makes of memory and data, once per wave, and what glc returns") {
  const struct {
    const char* name;
    std::uint32_t memory;
    std::uint32_t data;
    std::uint32_t result;
  } rows[] = {
      {"swap", 5, 9, 9},
      {"add", 0xffffffff, 3, 2},
      {"sub", 2, 3, 0xffffffff},
      {"smin", 0xfffffffe, 1, 0xfffffffe},
      {"umin", 0xfffffffe, 1, 1},
      {"smax", 0xfffffffe, 1, 1},
      {"umax", 0xfffffffe, 1, 0xfffffffe},
      {"and", 0b1100, 0b1010, 0b1000},
      {"or", 0b1100, 0b1010, 0b1110},
      {"xor", 0b1100, 0b1010, 0b0110},
      {"inc", 4, 5, 5}, // wraps to 0 at the data
      {"inc", 5, 5, 0},
      {"dec", 4, 5, 3}, // goes to the data below 0 and from above it
      {"dec", 0, 5, 5},
      {"dec", 6, 5, 5},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    for (const bool returns : {false, true}) {
      OneWave machine(Target::gfx942);
      Wave& wave = machine.wave();
      wave.set_scalar64(0, machine.memory().base);
      wave.set_exec(0); // scalar instructions do not look at EXEC
      machine.set_memory<std::uint32_t>(2, row.memory);
      wave.scalar[20] = row.data;
      machine.run(std::string("s_atomic_") + row.name + " s20, s[0:1], 0x8" + (returns ? " glc" : ""));
      CHECK(machine.memory_at<std::uint32_t>(2) == row.result);
      CHECK(wave.scalar[20] == (returns ? row.memory : row.data));
    }
  }
}

TEST_CASE("s_atomic: pairs, compare and swap, buffers") {
  OneWave machine(Target::gfx950);
  Wave& wave = machine.wave();
  wave.set_scalar64(0, machine.memory().base);
  machine.set_memory<std::uint64_t>(0, 0xffffffff);
  wave.set_scalar64(20, 1);
  machine.run("s_atomic_add_x2 s[20:21], s[0:1], 0x0 glc");
  CHECK(machine.memory_at<std::uint64_t>(0) == 0x1'0000'0000);
  CHECK(wave.scalar64(20) == 0xffffffff);

  machine.set_memory<std::uint32_t>(4, 7);
  wave.scalar[22] = 9; // new value
  wave.scalar[23] = 7; // what memory must hold
  machine.run("s_atomic_cmpswap s[22:23], s[0:1], 0x10");
  CHECK(machine.memory_at<std::uint32_t>(4) == 9);
  machine.run("s_atomic_cmpswap s[22:23], s[0:1], 0x10 glc");
  CHECK(machine.memory_at<std::uint32_t>(4) == 9);
  CHECK(wave.scalar[22] == 9);
  CHECK(wave.scalar[23] == 7);

  wave.set_scalar64(4, machine.memory().base);
  wave.scalar[6] = 20;
  wave.scalar[7] = 0;
  wave.scalar[24] = 1;
  machine.run("s_buffer_atomic_add s24, s[4:7], 0x10 glc\ns_waitcnt lgkmcnt(0)\n"
              "s_buffer_atomic_add s24, s[4:7], 0x14 glc"); // the second is out of bounds
  CHECK(machine.memory_at<std::uint32_t>(4) == 10);
  CHECK(wave.scalar[24] == 0);
}

TEST_CASE("s_atomic with glc: its register is in flight until the wait") {
  OneWave machine(Target::gfx942);
  machine.wave().set_scalar64(0, machine.memory().base);
  CHECK(machine.run_to_fault("s_atomic_add s20, s[0:1], 0x0 glc\ns_mov_b32 s4, s20").kind ==
        FaultKind::register_in_flight);
  machine.run("s_atomic_add s20, s[0:1], 0x0\ns_mov_b32 s4, s20");
}
