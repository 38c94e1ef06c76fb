#pragma once
// A trace: what one wave of a dispatch executed, one line per instruction.

#include <cstdint>
#include <string>

#include "sim/machine/program.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

struct WaveTrace {
  std::uint64_t workgroup = 0;  // number in the grid, x fastest
  std::uint32_t wave = 0;       // in the workgroup
  std::uint64_t line_limit = 0; // instructions behind it are executed without a line
  std::uint64_t lines = 0;
  std::string text;
};

// run_wave, with a line for each instruction until the limit:
//   number +offset text ; exec, and what the first destination holds then (of a vector register: lane 0)
void run_traced_wave(Wave& wave, const Program& program, std::uint64_t quantum, WaveTrace& trace);

} // namespace hk::sim
