#include <doctest/doctest.h>

#include "sim/vector_memory/memory_pattern.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

// A raw buffer over bytes [first, first + size) of the memory, in s[4:7].
void set_raw_buffer(OneWave& machine, std::uint64_t first, std::uint32_t size) {
  const std::uint64_t base = machine.memory().base + first;
  Wave& wave = machine.wave();
  wave.scalar[4] = std::uint32_t(base);
  wave.scalar[5] = std::uint32_t(base >> 32);
  wave.scalar[6] = size;
  wave.scalar[7] = 0x00020000;
}

} // namespace

TEST_CASE("buffer_load: offset forms add up") {
  OneWave machine(Target::gfx942);
  fill_memory(machine);
  Wave& wave = machine.wave();
  set_raw_buffer(machine, 128, 4096);
  set_lanes(machine, 1, 16, 4);
  wave.scalar[0] = 256;
  wave.scalar[k_m0] = 512;
  machine.run("buffer_load_dword v8, off, s[4:7], 0 offset:20\n"
              "buffer_load_dword v9, v1, s[4:7], 0 offen\n"
              "buffer_load_dword v10, v1, s[4:7], s0 offen offset:8\n"
              "buffer_load_dwordx4 v[12:15], v1, s[4:7], m0 offen\n"
              "buffer_load_dword a11, v1, s[4:7], 64 offen sc0 nt sc1");
  for (int lane = 0; lane < 64; ++lane) {
    const std::uint64_t place = 128 + 16 + 4 * std::uint64_t(lane);
    CHECK(wave.vector[8][lane] == pattern(128 + 20));
    CHECK(wave.vector[9][lane] == pattern(place));
    CHECK(wave.vector[10][lane] == pattern(place + 256 + 8));
    CHECK(wave.vector[12][lane] == pattern(place + 512));
    CHECK(wave.vector[15][lane] == pattern(place + 524));
    CHECK(wave.vector[256 + 11][lane] == pattern(place + 64));
  }
}

TEST_CASE("buffer_load: indices, with and without an offset register") {
  OneWave machine(Target::gfx942);
  fill_memory(machine);
  Wave& wave = machine.wave();
  set_raw_buffer(machine, 0, 60); // 60 records
  wave.scalar[5] |= 40u << 16;    // of 40 bytes
  set_lanes(machine, 2, 0, 1);
  set_lanes(machine, 3, 12, 0);
  machine.run("buffer_load_dword v8, v2, s[4:7], 0 idxen offset:4\n"
              "buffer_load_dword v9, v[2:3], s[4:7], 0 idxen offen offset:4");
  for (int lane = 0; lane < 64; ++lane) {
    const auto place = 40 * std::uint64_t(lane);
    CHECK(wave.vector[8][lane] == (lane < 60 ? pattern(place + 4) : 0));
    CHECK(wave.vector[9][lane] == (lane < 60 ? pattern(place + 16) : 0));
  }
}

TEST_CASE("buffer_load: every dword of a wide load has its own range check, the rest is 0") {
  OneWave machine(Target::gfx950);
  fill_memory(machine);
  Wave& wave = machine.wave();
  set_raw_buffer(machine, 0, 100);
  set_lanes(machine, 1, 0, 4);
  wave.vector[1][40] = std::uint32_t(-16); // unsigned: far outside
  wave.vector[1][41] = std::uint32_t(-16);
  machine.run("buffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen offset:12");
  for (int lane = 0; lane < 64; ++lane)
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t place = 4 * std::uint64_t(lane) + 12 + 4 * std::uint64_t(i);
      // -16 + 12 does not wrap to a small offset
      CHECK(wave.vector[8 + i][lane] == (lane != 40 && lane != 41 && place + 4 <= 100 ? pattern(place) : 0));
    }
  machine.run(
      "buffer_load_ubyte v8, v1, s[4:7], 0 offen offset:3\n buffer_load_short_d16_hi v9, v1, s[4:7], 0 offen offset:3");
  CHECK(wave.vector[8][24] == pattern(99, 1));
  CHECK(wave.vector[8][25] == 0);
  CHECK(wave.vector[9][23] == pattern(95, 2) << 16);
  CHECK(wave.vector[9][24] == 0);
}

TEST_CASE("voffset + instruction offset wraps at 32 bits") {
  OneWave machine(Target::gfx942);
  fill_memory(machine);
  set_raw_buffer(machine, 0, 100);
  set_lanes(machine, 1, std::uint32_t(-8), 0);
  machine.run("buffer_load_dword v8, v1, s[4:7], 0 offen offset:12");
  CHECK(machine.wave().vector[8][0] == pattern(4));
}

TEST_CASE("soffset counts in the range check") {
  OneWave machine(Target::gfx942);
  fill_memory(machine);
  Wave& wave = machine.wave();
  set_raw_buffer(machine, 0, 100);
  set_lanes(machine, 1, 0, 4);
  wave.scalar[0] = 60;
  machine.run("buffer_load_dword v8, v1, s[4:7], s0 offen");
  for (int lane = 0; lane < 64; ++lane)
    CHECK(wave.vector[8][lane] == (lane < 10 ? pattern(60 + 4 * std::uint64_t(lane)) : 0));
  machine.run("buffer_load_dword v8, v1, s[4:7], -1 offen"); // 0xffffffff
  CHECK(wave.vector[8][0] == 0);
}

TEST_CASE("buffer_store drops what is out of range, dword by dword") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  set_raw_buffer(machine, 0, 56);
  set_lanes(machine, 1, 0, 16);
  for (int i = 0; i < 4; ++i)
    set_lanes(machine, 4 + i, 100u * unsigned(i), 1);
  wave.set_exec(~std::uint64_t{2});
  machine.run("buffer_store_dwordx4 v[4:7], v1, s[4:7], 0 offen");
  for (int dword = 0; dword < 40; ++dword) {
    const int lane = dword / 4;
    const bool written = lane != 1 && 4 * dword + 4 <= 56;
    CHECK(machine.memory_at<std::uint32_t>(std::size_t(dword)) ==
          (written ? std::uint32_t(100 * (dword % 4) + lane) : k_untouched));
  }
  machine.run("buffer_store_byte v4, v1, s[4:7], 0 offen offset:1\n buffer_store_short_d16_hi v5, v1, s[4:7], 0 offen "
              "offset:2");
  CHECK(machine.memory_at<std::uint8_t>(33) == 2);
  CHECK(machine.memory_at<std::uint16_t>(17) == 0);
  CHECK(machine.memory_at<std::uint8_t>(65) == 0xcd);
}

TEST_CASE("a range that reaches behind the allocation: in range but dead is a fault, out of range is not") {
  OneWave machine(Target::gfx942, 1024);
  fill_memory(machine);
  set_raw_buffer(machine, 0, 2048);
  set_lanes(machine, 1, 1008, 0);
  machine.wave().vector[1][9] = 1012;
  const Fault fault = machine.run_to_fault("buffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen");
  CHECK(fault.kind == FaultKind::global_out_of_bounds);
  CHECK(fault.lane == 9);
  CHECK(fault.address == machine.memory().base + 1012);
  set_raw_buffer(machine, 0, 1024);
  machine.run("buffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen");
  CHECK(machine.wave().vector[10][9] == pattern(1020));
  CHECK(machine.wave().vector[11][9] == 0);
}

TEST_CASE("descriptors that hardware cannot use are faults; an all-zero one reads 0") {
  OneWave machine(Target::gfx942);
  set_raw_buffer(machine, 0, 64);
  machine.wave().scalar[7] = 0;
  CHECK(machine.run_to_fault("buffer_load_dword v8, off, s[4:7], 0").kind == FaultKind::unsupported_operand);
  for (int i = 4; i < 8; ++i)
    machine.wave().scalar[i] = 0;
  machine.run("buffer_load_dword v8, off, s[4:7], 0\n buffer_store_dword v9, off, s[4:7], 0");
  CHECK(machine.wave().vector[8][0] == 0);
}

TEST_CASE("buffer results appear at the vmcnt wait") {
  OneWave machine(Target::gfx942);
  fill_memory(machine);
  set_raw_buffer(machine, 0, 4096);
  set_lanes(machine, 1, 0, 4);
  machine.run_without_completing("buffer_load_dword v8, v1, s[4:7], 0 offen\n s_mov_b32 s4, 0\n s_waitcnt lgkmcnt(0)");
  CHECK(machine.wave().vector[8][1] == k_untouched);
  machine.run_without_completing("s_waitcnt vmcnt(0)");
  CHECK(machine.wave().vector[8][1] == pattern(4));
}
