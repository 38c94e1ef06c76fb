#include <doctest/doctest.h>

#include "sim/harness.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr std::uint32_t k_untouched = 0xcdcdcdcd;

// Byte i of LDS is i * 7 + 3 modulo 256.
void fill_lds(OneWave& machine) {
  for (std::size_t i = 0; i < machine.lds().size(); ++i)
    machine.set_lds<std::uint8_t>(i, std::uint8_t(i * 7 + 3));
}

std::uint32_t pattern(std::size_t address, int bytes) {
  std::uint32_t value = 0;
  for (int i = bytes - 1; i >= 0; --i)
    value = value << 8 | std::uint8_t((address + std::size_t(i)) * 7 + 3);
  return value;
}

void set_addresses(OneWave& machine, int reg, std::uint32_t first, std::uint32_t stride) {
  for (int lane = 0; lane < 64; ++lane)
    machine.wave().vector[reg][lane] = first + stride * std::uint32_t(lane);
}

} // namespace

TEST_CASE("ds_read of every width, with an offset and half of the lanes off") {
  OneWave machine(Target::gfx942);
  fill_lds(machine);
  Wave& wave = machine.wave();
  set_addresses(machine, 1, 40, 20);
  wave.set_exec(0xaaaa'aaaa'5555'0001);
  const auto active = [&](int lane) { return (wave.exec() >> lane & 1) != 0; };
  struct Width {
    const char* text;
    int dwords;
  };
  for (const Width& width :
       {Width{"ds_read_b32 v8, v1 offset:12", 1}, Width{"ds_read_b64 v[8:9], v1 offset:12", 2},
        Width{"ds_read_b96 v[8:10], v1 offset:12", 3}, Width{"ds_read_b128 v[8:11], v1 offset:12", 4}}) {
    CAPTURE(width.text);
    std::memset(wave.vector[8], 0xcd, sizeof wave.vector[8] * 5);
    machine.run(width.text);
    for (int lane = 0; lane < 64; ++lane)
      for (int i = 0; i < 5; ++i) {
        const std::size_t address = 52 + 20 * std::size_t(lane) + 4 * std::size_t(i);
        CHECK(wave.vector[8 + i][lane] == (active(lane) && i < width.dwords ? pattern(address, 4) : k_untouched));
      }
  }
}

TEST_CASE("ds_read of bytes and shorts extends, the d16 forms fill one half and clear the other") {
  OneWave machine(Target::gfx950);
  Wave& wave = machine.wave();
  machine.set_lds<std::uint32_t>(0, 0x8081f7f3);
  for (int lane = 0; lane < 64; ++lane)
    wave.vector[1][lane] = std::uint32_t(lane % 4); // bytes f3 f7 81 80; shorts at 0: f7f3, at 1: 81f7, at 2: 8081
  struct Case {
    const char* text;
    std::uint32_t at_0, at_1, at_2;
  };
  const Case cases[] = {
      {"ds_read_u8 v8, v1", 0xf3, 0xf7, 0x81},
      {"ds_read_i8 v8, v1", 0xfffffff3, 0xfffffff7, 0xffffff81},
      {"ds_read_u16 v8, v1", 0xf7f3, 0x81f7, 0x8081},
      {"ds_read_i16 v8, v1", 0xfffff7f3, 0xffff81f7, 0xffff8081},
      {"ds_read_u8_d16 v8, v1", 0xf3, 0xf7, 0x81},
      {"ds_read_u8_d16_hi v8, v1", 0xf30000, 0xf70000, 0x810000},
      {"ds_read_i8_d16 v8, v1", 0xfff3, 0xfff7, 0xff81},
      {"ds_read_i8_d16_hi v8, v1", 0xfff30000, 0xfff70000, 0xff810000},
      {"ds_read_u16_d16 v8, v1", 0xf7f3, 0x81f7, 0x8081},
      {"ds_read_u16_d16_hi v8, v1", 0xf7f30000, 0x81f70000, 0x80810000},
  };
  for (const Case& test : cases) {
    CAPTURE(test.text);
    machine.run(test.text);
    CHECK(wave.vector[8][0] == test.at_0);
    CHECK(wave.vector[8][1] == test.at_1);
    CHECK(wave.vector[8][62] == test.at_2);
  }
}

TEST_CASE("ds_write of every width touches its bytes only") {
  struct Case {
    const char* text;
    std::size_t bytes;
    unsigned skip; // bytes of the register before the stored ones
  };
  const Case cases[] = {
      {"ds_write_b8 v1, v4 offset:3", 1, 0},       {"ds_write_b8_d16_hi v1, v4 offset:3", 1, 2},
      {"ds_write_b16 v1, v4 offset:3", 2, 0},      {"ds_write_b16_d16_hi v1, v4 offset:3", 2, 2},
      {"ds_write_b32 v1, v4 offset:3", 4, 0},      {"ds_write_b64 v1, v[4:5] offset:3", 8, 0},
      {"ds_write_b96 v1, v[4:6] offset:3", 12, 0}, {"ds_write_b128 v1, v[4:7] offset:3", 16, 0},
  };
  for (const Case& test : cases) {
    CAPTURE(test.text);
    OneWave machine(Target::gfx942);
    Wave& wave = machine.wave();
    set_addresses(machine, 1, 0, 32);
    for (int i = 0; i < 4; ++i)
      for (int lane = 0; lane < 64; ++lane)
        wave.vector[4 + i][lane] = 0x03020100u + 0x04040404u * unsigned(i); // byte n of the four registers is n
    wave.set_exec(0xffff'ffff'ffff'fffd);                                   // lane 1 is off
    machine.run(test.text);
    int wrong = 0;
    for (std::size_t address = 0; address < 64 * 32; ++address) {
      const std::size_t in_slot = address % 32;
      const bool written = address / 32 != 1 && in_slot >= 3 && in_slot < 3 + test.bytes;
      wrong += machine.lds_at<std::uint8_t>(address) != (written ? std::uint8_t(in_slot - 3 + test.skip) : 0xcd);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("ds_read2 and ds_write2: units, st64, equal offsets") {
  OneWave machine(Target::gfx942);
  fill_lds(machine);
  Wave& wave = machine.wave();
  set_addresses(machine, 1, 16, 8);
  machine.run("ds_read2_b32 v[8:9], v1 offset0:3 offset1:250");
  CHECK(wave.vector[8][5] == pattern(16 + 40 + 12, 4));
  CHECK(wave.vector[9][5] == pattern(16 + 40 + 1000, 4));
  machine.run("ds_read2_b64 v[8:11], v1 offset0:3 offset1:4");
  CHECK(wave.vector[8][63] == pattern(16 + 504 + 24, 4));
  CHECK(wave.vector[9][63] == pattern(16 + 504 + 28, 4));
  CHECK(wave.vector[10][63] == pattern(16 + 504 + 32, 4));
  CHECK(wave.vector[11][63] == pattern(16 + 504 + 36, 4));
  machine.run("ds_read2st64_b32 v[8:9], v1 offset0:1 offset1:2");
  CHECK(wave.vector[8][0] == pattern(16 + 256, 4));
  CHECK(wave.vector[9][0] == pattern(16 + 512, 4));
  machine.run("ds_read2st64_b64 a[8:11], v1 offset1:3");
  CHECK(wave.vector[256 + 8][1] == pattern(24, 4));
  CHECK(wave.vector[256 + 11][1] == pattern(24 + 3 * 512 + 4, 4));

  for (int i = 0; i < 4; ++i)
    for (int lane = 0; lane < 64; ++lane)
      wave.vector[4 + i][lane] = 0x1000u * unsigned(i) + unsigned(lane);
  machine.run("ds_write2_b64 v1, v[4:5], v[6:7] offset0:100 offset1:200");
  CHECK(machine.lds_at<std::uint32_t>((16 + 8 * 7 + 800) / 4) == 0x0007);
  CHECK(machine.lds_at<std::uint32_t>((16 + 8 * 7 + 804) / 4) == 0x1007);
  CHECK(machine.lds_at<std::uint32_t>((16 + 8 * 7 + 1600) / 4) == 0x2007);
  CHECK(machine.lds_at<std::uint32_t>((16 + 8 * 7 + 1604) / 4) == 0x3007);
  machine.run("ds_write2st64_b32 v1, v4, v5 offset0:9 offset1:12");
  CHECK(machine.lds_at<std::uint32_t>((16 + 8 * 2 + 9 * 256) / 4) == 2);
  CHECK(machine.lds_at<std::uint32_t>((16 + 8 * 2 + 12 * 256) / 4) == 0x1002);
  machine.run("ds_write2_b32 v1, v6, v7 offset0:7 offset1:7");
  CHECK(machine.lds_at<std::uint32_t>((16 + 28) / 4) == 0x2000);
}

TEST_CASE("a negative base works with an offset that makes the sum positive") {
  OneWave machine(Target::gfx942);
  fill_lds(machine);
  set_addresses(machine, 1, std::uint32_t(-256), 4);
  machine.run("ds_read_b32 v8, v1 offset:512");
  CHECK(machine.wave().vector[8][0] == pattern(256, 4));
  CHECK(machine.wave().vector[8][63] == pattern(256 + 252, 4));
}

TEST_CASE("LDS access outside the allocation names lane and address; the last bytes are inside") {
  OneWave machine(Target::gfx942, 64, 1000);
  Wave& wave = machine.wave();
  set_addresses(machine, 1, 0, 0);
  wave.vector[1][17] = 996;
  machine.run("ds_read_b32 v8, v1");
  Fault fault = machine.run_to_fault("ds_read_b64 v[8:9], v1");
  CHECK(fault.kind == FaultKind::lds_out_of_bounds);
  CHECK(fault.lane == 17);
  CHECK(fault.address == 996);
  CHECK(fault.explanation.find("1000 bytes of LDS") != std::string::npos);
  fault = machine.run_to_fault("ds_write_b16 v1, v2 offset:3");
  CHECK(fault.address == 999);
  fault = machine.run_to_fault("ds_read2_b32 v[8:9], v1 offset0:0 offset1:1");
  CHECK(fault.address == 1000);
  fault = machine.run_to_fault("ds_write2_b32 v1, v2, v3 offset0:1 offset1:0");
  CHECK(fault.kind == FaultKind::lds_out_of_bounds);
  wave.set_exec(~(std::uint64_t{1} << 17)); // the lane that is off may point anywhere
  machine.run("ds_read_b64 v[8:9], v1");
}

TEST_CASE("what is read is visible at the lgkmcnt wait and not before, in issue order") {
  OneWave machine(Target::gfx950);
  fill_lds(machine);
  Wave& wave = machine.wave();
  set_addresses(machine, 1, 0, 4);
  for (int lane = 0; lane < 64; ++lane)
    wave.vector[4][lane] = 0x11110000u + unsigned(lane);
  machine.run_without_completing("ds_read_b32 v8, v1\n ds_write_b32 v1, v4\n ds_read_b32 v9, v1\n v_mov_b32_e32 v4, 0");
  CHECK(wave.vector[8][3] == k_untouched);
  CHECK(machine.lds_at<std::uint32_t>(3) == pattern(12, 4));
  machine.run_without_completing("s_waitcnt lgkmcnt(2)");
  CHECK(wave.vector[8][3] == pattern(12, 4)); // read before the write
  CHECK(machine.lds_at<std::uint32_t>(3) == pattern(12, 4));
  machine.run_without_completing("s_waitcnt lgkmcnt(1)");
  CHECK(machine.lds_at<std::uint32_t>(3) == 0x11110003); // the data of the issue, not the zero written since
  CHECK(wave.vector[9][3] == k_untouched);
  machine.run_without_completing("s_waitcnt vmcnt(0)");
  CHECK(wave.vector[9][3] == k_untouched);
  machine.run_without_completing("s_waitcnt lgkmcnt(0)");
  CHECK(wave.vector[9][3] == 0x11110003);
}

TEST_CASE("using a register that an LDS load will write is a fault") {
  OneWave machine(Target::gfx942);
  set_addresses(machine, 1, 0, 4);
  const Fault fault = machine.run_to_fault("ds_read_b128 v[8:11], v1\n ds_write_b32 v1, v10");
  CHECK(fault.kind == FaultKind::register_in_flight);
}

TEST_CASE("EXEC and addresses are those of the issue") {
  OneWave machine(Target::gfx942);
  fill_lds(machine);
  Wave& wave = machine.wave();
  set_addresses(machine, 1, 0, 4);
  wave.set_exec(1);
  machine.run("ds_read_b32 v8, v1\n s_mov_b64 exec, -1\n v_mov_b32_e32 v1, 0\n s_waitcnt lgkmcnt(0)");
  CHECK(wave.vector[8][0] == pattern(0, 4));
  CHECK(wave.vector[8][1] == k_untouched);
}

TEST_CASE("addtid forms add M0 and the lane number") {
  OneWave machine(Target::gfx942);
  fill_lds(machine);
  Wave& wave = machine.wave();
  wave.scalar[k_m0] = 0xffff0100;
  machine.run("ds_read_addtid_b32 v8 offset:8");
  CHECK(wave.vector[8][10] == pattern(0x100 + 8 + 40, 4));
  wave.vector[4][10] = 77;
  machine.run("ds_write_addtid_b32 v4 offset:8");
  CHECK(machine.lds_at<std::uint32_t>((0x100 + 8 + 40) / 4) == 77);
}

TEST_CASE("ds_append and ds_consume count the active lanes") {
  OneWave machine(Target::gfx942);
  Wave& wave = machine.wave();
  machine.set_lds<std::uint32_t>(0x40 / 4 + 2, 1000);
  wave.scalar[k_m0] = 0x40;
  wave.set_exec(0xff00);
  machine.run("ds_append v8 offset:8");
  CHECK(wave.vector[8][8] == 1000);
  CHECK(wave.vector[8][0] == k_untouched);
  CHECK(machine.lds_at<std::uint32_t>(0x40 / 4 + 2) == 1008);
  wave.set_exec(0x7);
  machine.run("ds_consume v9 offset:8");
  CHECK(wave.vector[9][2] == 1008);
  CHECK(machine.lds_at<std::uint32_t>(0x40 / 4 + 2) == 1005);
}
