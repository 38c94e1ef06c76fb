#include <doctest/doctest.h>

#include <bit>
#include <thread>

#include "sim/machine/run_wave.h"
#include "sim/vector_memory/memory_pattern.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

std::uint64_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

struct Case {
  const char* name;
  std::uint64_t memory, data, comparand, expected;
  bool wide = false;
};

const std::vector<Case> k_cases = {
    {"add", 0xfffffffe, 5, 0, 3},
    {"sub", 3, 5, 0, 0xfffffffe},
    {"smin", 0xfffffffd, 2, 0, 0xfffffffd},
    {"smax", 0xfffffffd, 2, 0, 2},
    {"umin", 0xfffffffd, 2, 0, 2},
    {"umax", 0xfffffffd, 2, 0, 0xfffffffd},
    {"and", 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00},
    {"or", 0xff00ff00, 0x0ff00ff0, 0, 0xfff0fff0},
    {"xor", 0xff00ff00, 0x0ff00ff0, 0, 0xf0f0f0f0},
    {"inc", 9, 9, 0, 0},
    {"inc", 8, 9, 0, 9},
    {"dec", 0, 9, 0, 9},
    {"dec", 5, 9, 0, 4},
    {"swap", 5, 77, 0, 77},
    {"cmpswap", 5, 77, 5, 77}, // the first data register is the new value, the second the comparand
    {"cmpswap", 5, 77, 6, 5},
    {"add_f32", bits(1.5f), bits(2.25f), 0, bits(3.75f)},
    {"add_f32", 0x00000001, 0x00000001, 0, 0}, // the L2 flushes binary32 subnormals
    {"pk_add_f16", 0x7bff3c00, 0x7bff4000, 0, 0x7c004200},
    {"pk_add_f16", 0x3c000001, 0x10000001, 0, 0x3c000002},
    {"add_x2", 0xffffffffffffffff, 2, 0, 1, true},
    {"sub_x2", 0, 1, 0, 0xffffffffffffffff, true},
    {"smin_x2", 0x8000000000000000, 1, 0, 0x8000000000000000, true},
    {"smax_x2", 0x8000000000000000, 1, 0, 1, true},
    {"umin_x2", 0x8000000000000000, 1, 0, 1, true},
    {"umax_x2", 0x8000000000000000, 1, 0, 0x8000000000000000, true},
    {"and_x2", 0xff00000000000001, 0xf000000000000003, 0, 0xf000000000000001, true},
    {"or_x2", 0xff00000000000001, 0xf000000000000003, 0, 0xff00000000000003, true},
    {"xor_x2", 0xff00000000000001, 0xf000000000000003, 0, 0x0f00000000000002, true},
    {"inc_x2", 0x100000000, 0x200000000, 0, 0x100000001, true},
    {"dec_x2", 0x100000000, 0x200000000, 0, 0xffffffff, true},
    {"swap_x2", 5, 0x700000000, 0, 0x700000000, true},
    {"cmpswap_x2", 0x100000005, 77, 0x100000005, 77, true},
    {"cmpswap_x2", 0x100000005, 77, 5, 0x100000005, true},
    {"add_f64", bits(1.5), bits(0x1p-1074), 0, bits(1.5), true},
    {"add_f64", bits(0x1p-1074), bits(0x1p-1074), 0, bits(0x1p-1073), true},
    {"min_f64", bits(2.0), bits(-3.0), 0, bits(-3.0), true},
    {"max_f64", bits(2.0), bits(-3.0), 0, bits(2.0), true},
};

// Lane 2 is off; every lane has its own 8 bytes. v[4:7] is data, v[2:3] the address, v1 an offset.
void check(const Case& test, const std::string& family, bool returns) {
  CAPTURE(test.name);
  CAPTURE(family);
  CAPTURE(returns);
  OneWave machine(Target::gfx942, 512);
  Wave& wave = machine.wave();
  wave.set_exec(~std::uint64_t{4});
  set_addresses(machine, 2, 0, 8);
  set_lanes(machine, 1, 0, 8);
  const bool compares = std::string(test.name).starts_with("cmpswap");
  const int dwords = test.wide ? 2 : 1;
  const std::uint64_t filler = test.wide ? 0 : 0x5a5a5a5a00000000u;
  for (int lane = 0; lane < 64; ++lane) {
    for (int i = 0; i < dwords; ++i) {
      wave.vector[4 + i][lane] = std::uint32_t(test.data >> 32 * i);
      wave.vector[4 + dwords + i][lane] = std::uint32_t(test.comparand >> 32 * i);
    }
    machine.set_memory<std::uint64_t>(std::size_t(lane), test.memory | filler);
  }
  wave.scalar[4] = std::uint32_t(machine.memory().base);
  wave.scalar[5] = std::uint32_t(machine.memory().base >> 32);
  wave.scalar[6] = 512;
  wave.scalar[7] = 0x00020000;
  const int data_registers = dwords * (compares ? 2 : 1);
  const std::string data = data_registers == 1 ? "v4" : "v[4:" + std::to_string(3 + data_registers) + "]";
  const std::string result = test.wide ? "v[8:9]" : "v8";
  std::string text = family + "_atomic_" + test.name + " ";
  if (family == "buffer")
    text += data + ", v1, s[4:7], 0 offen";
  else
    text += (returns ? result + ", " : "") + "v[2:3], " + data + (family == "global" ? ", off" : "");
  machine.run(text + (returns ? " sc0" : ""));
  CHECK(machine.memory_at<std::uint64_t>(63) == (test.expected | filler));
  CHECK(machine.memory_at<std::uint64_t>(2) == (test.memory | filler));
  if (returns) {
    const int first = family == "buffer" ? 4 : 8;
    CHECK(wave.vector[first][63] == std::uint32_t(test.memory));
    if (test.wide)
      CHECK(wave.vector[first + 1][63] == std::uint32_t(test.memory >> 32));
  }
}

} // namespace

TEST_CASE("every atomic of GLOBAL, FLAT and MUBUF, with and without the old value") {
  for (const Case& test : k_cases)
    for (const char* family : {"global", "flat", "buffer"})
      for (const bool returns : {false, true})
        check(test, family, returns);
}

TEST_CASE("packed bf16 sums") {
  const Case test{"pk_add_bf16", 0x3f803f80, 0x3b804000, 0, 0x3f804040};
  for (const bool returns : {false, true}) {
    check(test, "global", returns);
    check(test, "flat", returns);
  }
  OneWave machine(Target::gfx950, 512); // MUBUF has it on gfx950 only
  Wave& wave = machine.wave();
  wave.scalar[4] = std::uint32_t(machine.memory().base);
  wave.scalar[5] = std::uint32_t(machine.memory().base >> 32);
  wave.scalar[6] = 512;
  wave.scalar[7] = 0x00020000;
  machine.set_memory<std::uint32_t>(0, std::uint32_t(test.memory));
  set_lanes(machine, 4, std::uint32_t(test.data), 0);
  wave.set_exec(1);
  machine.run("buffer_atomic_pk_add_bf16 v4, off, s[4:7], 0");
  CHECK(machine.memory_at<std::uint32_t>(0) == test.expected);
}

TEST_CASE("a buffer atomic is in range with all its bytes or not at all; out of range it returns 0") {
  OneWave machine(Target::gfx942, 512);
  Wave& wave = machine.wave();
  wave.scalar[4] = std::uint32_t(machine.memory().base);
  wave.scalar[5] = std::uint32_t(machine.memory().base >> 32);
  wave.scalar[6] = 20;
  wave.scalar[7] = 0x00020000;
  set_lanes(machine, 1, 0, 8);
  set_lanes(machine, 4, 1, 0);
  set_lanes(machine, 5, 0, 0);
  for (std::size_t i = 0; i < 64; ++i)
    machine.set_memory<std::uint64_t>(i, 100);
  machine.run("buffer_atomic_add_x2 v[4:5], v1, s[4:7], 0 offen sc0");
  CHECK(machine.memory_at<std::uint64_t>(0) == 101);
  CHECK(machine.memory_at<std::uint64_t>(1) == 101);
  CHECK(machine.memory_at<std::uint64_t>(2) == 100); // bytes 16..23 of 20
  CHECK(wave.vector[4][1] == 100);
  CHECK(wave.vector[4][2] == 0);
}

TEST_CASE("atomics: lanes on one address, visibility at the wait, faults") {
  OneWave machine(Target::gfx942, 64);
  Wave& wave = machine.wave();
  set_addresses(machine, 2, 16, 0);
  set_lanes(machine, 4, 1, 0);
  machine.set_memory<std::uint32_t>(4, 1000);
  machine.run_without_completing("global_atomic_add v8, v[2:3], v4, off sc0");
  CHECK(machine.memory_at<std::uint32_t>(4) == 1000);
  CHECK(wave.vector[8][0] == k_untouched);
  machine.run_without_completing("s_waitcnt vmcnt(0)");
  CHECK(machine.memory_at<std::uint32_t>(4) == 1064);
  for (int lane = 0; lane < 64; ++lane)
    CHECK(wave.vector[8][lane] == 1000u + unsigned(lane));
  CHECK(machine.run_to_fault("global_atomic_add v[2:3], v4, off offset:2").kind == FaultKind::misaligned);
  CHECK(machine.run_to_fault("global_atomic_add_x2 v[2:3], v[4:5], off offset:4").kind == FaultKind::misaligned);
  CHECK(machine.run_to_fault("global_atomic_add v[2:3], v4, off offset:48").kind == FaultKind::global_out_of_bounds);
}

// Two workgroups on two host threads add to the same counters; nothing may be lost.
TEST_CASE("atomics of two workgroups on two threads") {
  VectorMemory memory(64);
  memory.bytes.assign(64, std::byte{0});
  constexpr int k_rounds = 2000;
  const auto work = [&] {
    OneWave machine(Target::gfx942);
    machine.workgroup().memory = &memory;
    Wave& wave = machine.wave();
    set_lanes(machine, 2, std::uint32_t(memory.base), 0);
    set_lanes(machine, 3, std::uint32_t(memory.base >> 32), 0);
    set_lanes(machine, 4, 1, 0);
    set_lanes(machine, 5, 0, 0);
    set_lanes(machine, 6, std::uint32_t(bits(1.0f)), 0);
    set_lanes(machine, 7, 0x00010001, 0); // the smallest f16 subnormal twice
    const Program& program = machine.decode("global_atomic_add v[2:3], v4, off\n"
                                            "global_atomic_add_x2 v[2:3], v[4:5], off offset:8\n"
                                            "global_atomic_add_f32 v[2:3], v6, off offset:16\n"
                                            "global_atomic_umax v[2:3], v4, off offset:24\n"
                                            "global_load_dword v8, v[2:3], off sc1\n"
                                            "s_waitcnt vmcnt(0)");
    for (int round = 0; round < k_rounds && !wave.fault.any(); ++round) {
      wave.set_exec(0x3); // two lanes
      wave.next = 0;
      run_wave(wave, program, program.instructions.size());
    }
    return wave.fault.any();
  };
  bool first_failed = true;
  bool second_failed = true;
  std::thread first([&] { first_failed = work(); });
  std::thread second([&] { second_failed = work(); });
  first.join();
  second.join();
  CHECK_FALSE(first_failed);
  CHECK_FALSE(second_failed);
  const auto at = [&](std::size_t offset, auto value) {
    std::memcpy(&value, memory.bytes.data() + offset, sizeof value);
    return value;
  };
  CHECK(at(0, std::uint32_t{}) == 4 * k_rounds);
  CHECK(at(8, std::uint64_t{}) == 4 * k_rounds);
  CHECK(at(16, float{}) == 4.0f * k_rounds);
  CHECK(at(24, std::uint32_t{}) == 1);
}
