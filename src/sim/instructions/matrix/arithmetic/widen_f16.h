#pragma once

#include <cstdint>

#include "sim/machine/instruction.h"

namespace hk::sim {

// The binary16 value at bits shift + 15 : shift of each lane's word, as binary32. Uses the host's conversion where it
// has one (F16C), which is exact too; a signaling NaN may become quiet.
void widen_f16(const std::uint32_t (&words)[k_wave_size], unsigned shift, float* line);
// The same without special instructions, for hosts that have none and for tests.
void widen_f16_portable(const std::uint32_t (&words)[k_wave_size], unsigned shift, float* line);

} // namespace hk::sim
