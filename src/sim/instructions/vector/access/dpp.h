#pragma once
// Data-parallel primitives: which lane each lane reads from ("CDNA3 ISA", section "Data Parallel Processing (DPP)").

#include <array>
#include <cstdint>

#include "sim/machine/instruction.h"

namespace hk::sim::vector {

struct DppLanes {
  const std::uint8_t* source = nullptr; // 64 of them, meaningful where `valid`
  std::uint64_t valid = 0;              // lanes whose source exists and is in EXEC
  std::uint64_t selected = 0;           // lanes that row_mask and bank_mask let write
};

DppLanes dpp_lanes(const Modifiers& modifiers, std::uint64_t exec);

} // namespace hk::sim::vector
