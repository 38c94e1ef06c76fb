#include <doctest/doctest.h>

#include "sim/vector_memory/memory_pattern.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("global_load of every width and both address forms; lanes that are off keep their registers") {
  OneWave machine(Target::gfx942);
  fill_memory(machine);
  Wave& wave = machine.wave();
  set_addresses(machine, 2, 64, 24);
  set_lanes(machine, 4, 64 + 4096, 24); // with a scalar base 4096 bytes earlier
  wave.set_scalar64(6, machine.memory().base - 4096);
  wave.set_exec(0xf0f0'ffff'0000'0001);
  struct Case {
    const char* suffix;
    int dwords;
  };
  for (const Case& test :
       {Case{"dword v8", 1}, Case{"dwordx2 v[8:9]", 2}, Case{"dwordx3 v[8:10]", 3}, Case{"dwordx4 v[8:11]", 4}})
    for (const std::string& address :
         {std::string("v[2:3], off offset:-12"), std::string("v4, s[6:7] offset:-12"),
          std::string("v[2:3], off offset:-12 sc1"), std::string("v[2:3], off offset:-12 sc0")}) {
      CAPTURE(test.suffix);
      CAPTURE(address);
      std::memset(wave.vector[8], 0xcd, sizeof wave.vector[8] * 5);
      machine.run(std::string("global_load_") + test.suffix + ", " + address);
      int wrong = 0;
      for (int lane = 0; lane < 64; ++lane)
        for (int i = 0; i < 5; ++i) {
          const bool loaded = (wave.exec() >> lane & 1) != 0 && i < test.dwords;
          const auto place = std::uint64_t(64 + 24 * lane - 12 + 4 * i);
          wrong += wave.vector[8 + i][lane] != (loaded ? pattern(place) : k_untouched);
        }
      CHECK(wrong == 0);
    }
}

TEST_CASE("bytes and shorts extend; d16 forms fill a half and clear the other; AGPRs are destinations too") {
  OneWave machine(Target::gfx950);
  machine.set_memory<std::uint32_t>(0, 0x8081f7f3);
  set_addresses(machine, 2, 0, 0);
  struct Case {
    const char* name;
    std::uint32_t expected; // at offset 1: bytes f7 81
  };
  for (const Case& test :
       {Case{"ubyte", 0xf7}, Case{"sbyte", 0xfffffff7}, Case{"ushort", 0x81f7}, Case{"sshort", 0xffff81f7},
        Case{"ubyte_d16", 0xf7}, Case{"ubyte_d16_hi", 0xf70000}, Case{"sbyte_d16", 0xfff7},
        Case{"sbyte_d16_hi", 0xfff70000}, Case{"short_d16", 0x81f7}, Case{"short_d16_hi", 0x81f70000}}) {
    CAPTURE(test.name);
    machine.run(std::string("global_load_") + test.name + " v8, v[2:3], off offset:1");
    CHECK(machine.wave().vector[8][33] == test.expected);
    machine.run(std::string("global_load_") + test.name + " a8, v[2:3], off offset:1 sc0 nt sc1");
    CHECK(machine.wave().vector[256 + 8][33] == test.expected);
  }
}

TEST_CASE("global_store of every width touches its bytes only") {
  struct Case {
    const char* text;
    std::size_t bytes;
    unsigned skip;
  };
  for (const Case& test : {Case{"byte v[2:3], v4, off", 1, 0}, Case{"byte_d16_hi v[2:3], v4, off", 1, 2},
                           Case{"short v[2:3], v4, off", 2, 0}, Case{"short_d16_hi v[2:3], v4, off", 2, 2},
                           Case{"dword v[2:3], v4, off", 4, 0}, Case{"dwordx2 v[2:3], v[4:5], off", 8, 0},
                           Case{"dwordx3 v[2:3], v[4:6], off", 12, 0}, Case{"dwordx4 v[2:3], v[4:7], off", 16, 0}})
    for (const std::size_t displacement : {3, 4}) {
      CAPTURE(test.text);
      CAPTURE(displacement);
      OneWave machine(Target::gfx942);
      set_addresses(machine, 2, 0, 32);
      for (int i = 0; i < 4; ++i)
        set_lanes(machine, 4 + i, 0x03020100u + 0x04040404u * unsigned(i), 0);
      machine.wave().set_exec(~std::uint64_t{2});
      // plain copies and accesses with a scope, which are atomic by dwords, must move the same bytes
      const std::string modifiers = displacement == 3 ? " offset:3" : " offset:4 sc0 nt sc1";
      machine.run(std::string("global_store_") + test.text + modifiers);
      int wrong = 0;
      for (std::size_t place = 0; place < machine.memory().bytes.size(); ++place) {
        const bool written =
            place < 64 * 32 && place / 32 != 1 && place % 32 >= displacement && place % 32 < displacement + test.bytes;
        const auto expected = std::uint8_t(written ? place % 32 - displacement + test.skip : 0xcd);
        wrong += machine.memory_at<std::uint8_t>(place) != expected;
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("each lane's bytes must lie in one allocation: the fault names lane, address and the allocation") {
  OneWave machine(Target::gfx942, 1000);
  Wave& wave = machine.wave();
  set_addresses(machine, 2, 0, 8);
  set_address(machine, 2, 41, 984);
  machine.run("global_load_dwordx4 v[8:11], v[2:3], off");
  Fault fault = machine.run_to_fault("global_load_dwordx4 v[8:11], v[2:3], off offset:1");
  CHECK(fault.kind == FaultKind::global_out_of_bounds);
  CHECK(fault.lane == 41);
  CHECK(fault.address == machine.memory().base + 985);
  CHECK(fault.explanation.find("1000") != std::string::npos);
  set_address(machine, 2, 41, -1);
  fault = machine.run_to_fault("global_store_byte v[2:3], v4, off");
  CHECK(fault.lane == 41);
  CHECK(fault.address == machine.memory().base - 1);
  wave.set_exec(~(std::uint64_t{1} << 41)); // a lane that is off may point anywhere
  machine.run("global_store_byte v[2:3], v4, off");
}

TEST_CASE("a faulting store writes nothing") {
  OneWave machine(Target::gfx942, 256);
  set_addresses(machine, 2, 0, 8); // lanes 32 and up lie behind the allocation
  set_lanes(machine, 4, 1, 1);
  CHECK(machine.run_to_fault("global_store_dword v[2:3], v4, off").lane == 32);
  CHECK(machine.memory_at<std::uint32_t>(0) == k_untouched);
}

TEST_CASE("a GLOBAL instruction does not reach LDS or scratch through a generic address") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  set_lanes(machine, 2, 0, 0);
  set_lanes(machine, 3, std::uint32_t(k_shared_aperture_base >> 32), 0);
  CHECK(machine.run_to_fault("global_load_dword v8, v[2:3], off").kind == FaultKind::global_out_of_bounds);
  set_lanes(machine, 3, std::uint32_t(k_private_aperture_base >> 32), 0);
  wave.scratch_base = machine.memory().base;
  wave.scratch_bytes_per_lane = 64;
  CHECK(machine.run_to_fault("global_load_dword v8, v[2:3], off").kind == FaultKind::global_out_of_bounds);
}

TEST_CASE("what is loaded is visible at the vmcnt wait and not before; stores count too") {
  OneWave machine(Target::gfx950);
  fill_memory(machine);
  Wave& wave = machine.wave();
  set_addresses(machine, 2, 0, 4);
  set_lanes(machine, 4, 0x22220000, 1);
  machine.run_without_completing("global_load_dword v8, v[2:3], off\n"
                                 "global_store_dword v[2:3], v4, off\n"
                                 "global_load_dword v9, v[2:3], off\n"
                                 "v_mov_b32_e32 v4, 0");
  CHECK(wave.vector[8][3] == k_untouched);
  CHECK(machine.memory_at<std::uint32_t>(3) == pattern(12));
  machine.run_without_completing("s_waitcnt lgkmcnt(0)");
  CHECK(wave.vector[8][3] == k_untouched);
  machine.run_without_completing("s_waitcnt vmcnt(2)");
  CHECK(wave.vector[8][3] == pattern(12));
  CHECK(machine.memory_at<std::uint32_t>(3) == pattern(12));
  machine.run_without_completing("s_waitcnt vmcnt(1)");
  CHECK(machine.memory_at<std::uint32_t>(3) == 0x22220003); // the data of the issue
  CHECK(wave.vector[9][3] == k_untouched);
  machine.run_without_completing("s_waitcnt vmcnt(0)");
  CHECK(wave.vector[9][3] == 0x22220003);
}

TEST_CASE("using a register that a load will write is a fault") {
  OneWave machine(Target::gfx942);
  set_addresses(machine, 2, 0, 4);
  const Fault fault = machine.run_to_fault("global_load_dwordx2 v[8:9], v[2:3], off\n v_mov_b32_e32 v0, v9");
  CHECK(fault.kind == FaultKind::register_in_flight);
}

namespace {

// Two allocations with nothing between them, one of which can be freed or be read-only.
class TwoAllocations final : public MemoryMap {
 public:
  MappedRange find(std::uint64_t address) const override {
    const std::uint64_t begin = address < k_middle ? k_begin : k_middle;
    if (address < k_begin || address >= k_end || (freed && begin == k_begin))
      return {};
    return {begin, begin + 256, const_cast<std::byte*>(bytes) + (begin - k_begin), read_only};
  }
  std::string describe(std::uint64_t, std::uint64_t) const override { return "described"; }

  static constexpr std::uint64_t k_begin = 0x1000, k_middle = 0x1100, k_end = 0x1200;
  std::byte bytes[512] = {};
  bool freed = false;
  bool read_only = false;
};

} // namespace

TEST_CASE("lanes may use different allocations, but one lane not two; freed and read-only memory") {
  TwoAllocations memory;
  memory.bytes[252] = std::byte{7};
  memory.bytes[256] = std::byte{9};
  OneWave machine(Target::gfx942);
  machine.workgroup().memory = &memory;
  Wave& wave = machine.wave();
  for (int lane = 0; lane < 64; ++lane) {
    wave.vector[2][lane] = lane % 2 ? TwoAllocations::k_middle : TwoAllocations::k_middle - 4;
    wave.vector[3][lane] = 0;
  }
  machine.run("global_load_dword v8, v[2:3], off");
  CHECK(wave.vector[8][10] == 7);
  CHECK(wave.vector[8][11] == 9);
  CHECK(machine.run_to_fault("global_load_dwordx2 v[8:9], v[2:3], off").lane == 0);

  memory.read_only = true;
  machine.run("global_load_dword v8, v[2:3], off");
  const Fault write = machine.run_to_fault("global_store_dword v[2:3], v8, off");
  CHECK(write.kind == FaultKind::global_out_of_bounds);
  CHECK(write.explanation.find("read-only") != std::string::npos);
  memory.read_only = false;

  machine.run_without_completing("global_load_dword v8, v[2:3], off");
  memory.freed = true;
  CHECK(machine.run_to_fault("s_nop 0").explanation == "described");
}

TEST_CASE("buffer_wbl2 counts in vmcnt, buffer_inv does not, neither changes anything") {
  OneWave machine(Target::gfx942);
  fill_memory(machine);
  set_addresses(machine, 2, 0, 4);
  machine.run_without_completing(
      "global_load_dword v8, v[2:3], off\n buffer_wbl2 sc1\n buffer_inv sc1\n s_waitcnt vmcnt(1)");
  CHECK(machine.wave().vector[8][1] == pattern(4));
  machine.run("s_waitcnt vmcnt(0)");
}
