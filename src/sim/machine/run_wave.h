#pragma once
// Executing one wave, instruction by instruction.

#include <cstdint>

#include "sim/machine/program.h"
#include "sim/machine/wave.h"

namespace hk::sim {

// Runs until the wave ends, faults, arrives at a barrier, yields, or has executed `quantum` instructions. A wave that
// ends completes its accesses. Faults, among them bad_program_counter, are left in wave.fault.
void run_wave(Wave& wave, const Program& program, std::uint64_t quantum);

} // namespace hk::sim
