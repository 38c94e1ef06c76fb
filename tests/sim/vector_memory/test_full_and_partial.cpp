// An access under a full EXEC takes a quick way; the lanes must get what they get when one other lane is off.

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "sim/vector_memory/memory_pattern.h"

using namespace hk::sim;
using namespace hk::sim::testing;

namespace {

constexpr int k_lane_off = 37;

// Device memory, LDS and v[8:11] after the text has run.
struct Outcome {
  std::vector<std::byte> memory;
  std::vector<std::byte> lds;
  std::uint32_t registers[4][k_wave_size];
};

// v[2:3] are device addresses, v1 the same as offsets into a buffer in s[4:7], v[4:7] data to be stored.
Outcome run(Target target, const std::string& text, std::uint64_t exec) {
  OneWave machine(target);
  fill_memory(machine);
  for (std::size_t i = 0; i < machine.lds().size(); ++i)
    machine.set_lds<std::uint8_t>(i, pattern_byte(i + 77));
  Wave& wave = machine.wave();
  std::mt19937 random(7);
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::uint32_t offset = (random() % 60 + 64 * std::uint32_t(lane)) / 4 * 4; // no two lanes overlap
    wave.vector[1][lane] = offset;
    set_address(machine, 2, lane, offset);
    for (int i = 4; i < 8; ++i)
      wave.vector[i][lane] = std::uint32_t(random());
    for (int i = 8; i < 12; ++i)
      wave.vector[i][lane] = 0x5a5a5a5a;
  }
  wave.scalar[4] = std::uint32_t(machine.memory().base);
  wave.scalar[5] = std::uint32_t(machine.memory().base >> 32);
  wave.scalar[6] = 8192;
  wave.scalar[7] = 0x00020000;
  wave.scalar[k_m0] = 0x800;
  wave.set_exec(exec);
  machine.run(text);
  Outcome outcome{machine.memory().bytes, machine.lds(), {}};
  std::memcpy(outcome.registers, wave.vector[8], sizeof outcome.registers);
  return outcome;
}

void compare(Target target, const std::string& text) {
  CAPTURE(text);
  const Outcome full = run(target, text, ~std::uint64_t{0});
  const Outcome others = run(target, text, ~(std::uint64_t{1} << k_lane_off));
  const Outcome one = run(target, text, std::uint64_t{1} << k_lane_off);
  const Outcome none = run(target, text, 0);
  for (int i = 0; i < 4; ++i)
    for (int lane = 0; lane < k_wave_size; ++lane)
      CHECK(full.registers[i][lane] == (lane == k_lane_off ? one : others).registers[i][lane]);
  // Every byte that full EXEC changed was changed so by one of the two, and the other way round.
  const auto check_bytes = [](const auto& all, const auto& a, const auto& b, const auto& before) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
      wrong += all[i] != (a[i] != before[i] ? a[i] : b[i]);
    CHECK(wrong == 0);
  };
  check_bytes(full.memory, others.memory, one.memory, none.memory);
  check_bytes(full.lds, others.lds, one.lds, none.lds);
  const bool changed = full.memory != none.memory || full.lds != none.lds ||
                       std::memcmp(full.registers, none.registers, sizeof full.registers) != 0;
  CHECK(changed);
}

} // namespace

TEST_CASE("loads of all widths, full and partial") {
  const std::pair<const char*, const char*> widths[] = {
      {"ubyte", "v8"},        {"sshort", "v8"},       {"dword", "v8"},       {"dwordx2", "v[8:9]"},
      {"dwordx3", "v[8:10]"}, {"dwordx4", "v[8:11]"}, {"short_d16_hi", "v8"}};
  for (const auto& [width, target] : widths) {
    const std::string load = std::string("_load_") + width + " " + target;
    compare(Target::gfx942, "global" + load + ", v[2:3], off offset:16");
    compare(Target::gfx942, "flat" + load + ", v[2:3]");
    compare(Target::gfx942, "buffer" + load + ", v1, s[4:7], 0 offen offset:8");
    compare(Target::gfx942, "buffer" + load + ", v1, s[4:7], 0 offen sc0 sc1");
  }
}

TEST_CASE("buffer loads that some lanes make past the end, full and partial") {
  compare(Target::gfx942, "s_movk_i32 s6, 0x900\nbuffer_load_dwordx4 v[8:11], v1, s[4:7], 0 offen offset:8");
  compare(Target::gfx942, "s_movk_i32 s6, 0x900\nbuffer_load_dwordx2 v[8:9], v1, s[4:7], s6 offen");
}

TEST_CASE("loads into LDS, full and partial") {
  compare(Target::gfx942, "buffer_load_dword v1, s[4:7], 0 offen lds");
  compare(Target::gfx950, "buffer_load_dwordx4 v1, s[4:7], 0 offen offset:16 lds");
  compare(Target::gfx950, "global_load_lds_dwordx4 v[2:3], off");
}

TEST_CASE("stores of all widths, full and partial") {
  const std::pair<const char*, const char*> widths[] = {{"byte", "v4"},        {"short", "v4"},
                                                        {"dword", "v4"},       {"dwordx2", "v[4:5]"},
                                                        {"dwordx3", "v[4:6]"}, {"dwordx4", "v[4:7]"}};
  for (const auto& [width, data] : widths) {
    compare(Target::gfx942, std::string("global_store_") + width + " v[2:3], " + data + ", off");
    compare(Target::gfx942, std::string("buffer_store_") + width + " " + data + ", v1, s[4:7], 0 offen");
  }
}

TEST_CASE("LDS reads and writes of all widths, full and partial") {
  for (const char* read : {"u8 v8", "i16 v8", "b32 v8", "b64 v[8:9]", "b96 v[8:10]", "b128 v[8:11]"})
    compare(Target::gfx942, std::string("ds_read_") + read + ", v1 offset:32");
  for (const char* data :
       {"b8 v1, v4", "b16 v1, v4", "b32 v1, v4", "b64 v1, v[4:5]", "b96 v1, v[4:6]", "b128 v1, v[4:7]"})
    compare(Target::gfx942, std::string("ds_write_") + data);
}
