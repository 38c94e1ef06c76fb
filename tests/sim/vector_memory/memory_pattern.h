#pragma once
// What the tests of vector memory share: memory whose bytes tell their place, and lanes' addresses.

#include <cstdint>
#include <string>

#include "sim/harness.h"

namespace hk::sim::testing {

constexpr std::uint32_t k_untouched = 0xcdcdcdcd; // what the harness fills registers and memory with

inline std::uint8_t pattern_byte(std::uint64_t offset) {
  return std::uint8_t(offset * 7 + (offset >> 8) * 13 + 3);
}

// `bytes` bytes at the offset, little endian.
inline std::uint32_t pattern(std::uint64_t offset, int bytes = 4) {
  std::uint32_t value = 0;
  for (int i = bytes - 1; i >= 0; --i)
    value = value << 8 | pattern_byte(offset + std::uint64_t(i));
  return value;
}

inline void fill_memory(OneWave& machine) {
  for (std::size_t i = 0; i < machine.memory().bytes.size(); ++i)
    machine.set_memory<std::uint8_t>(i, pattern_byte(i));
}

// v[reg:reg+1] of the lane = device address of the memory's byte `offset`; negative offsets lie before it.
inline void set_address(OneWave& machine, int reg, int lane, std::int64_t offset) {
  const std::uint64_t address = machine.memory().base + std::uint64_t(offset);
  machine.wave().vector[reg][lane] = std::uint32_t(address);
  machine.wave().vector[reg + 1][lane] = std::uint32_t(address >> 32);
}

inline void set_addresses(OneWave& machine, int reg, std::int64_t first, std::int64_t stride) {
  for (int lane = 0; lane < 64; ++lane)
    set_address(machine, reg, lane, first + stride * lane);
}

inline void set_lanes(OneWave& machine, int reg, std::uint32_t first, std::uint32_t stride) {
  for (int lane = 0; lane < 64; ++lane)
    machine.wave().vector[reg][lane] = first + stride * std::uint32_t(lane);
}

} // namespace hk::sim::testing
