#pragma once
// Output multiplier, clamp and denormal flushing of floating-point results ("CDNA3 ISA", section "Output modifiers").
//
// The multiplier is ignored while MODE.IEEE is set or denormal results are kept, as on hardware. Clamp goes to [0, 1];
// it turns NaN into 0 under MODE.DX10_CLAMP.

#include <cstdint>

#include "sim/instructions/vector/access/float_mode.h"
#include "sim/instructions/vector/access/lane_types.h"
#include "sim/machine/instruction.h"

namespace hk::sim::vector {

// 64 lanes of f32 or f16, in place.
void apply_output_modifiers(std::uint32_t* lanes, Kind kind, const Modifiers& modifiers, const FloatMode& mode);
// 64 lanes of f64, in place.
void apply_output_modifiers(std::uint64_t* lanes, const Modifiers& modifiers, const FloatMode& mode);

} // namespace hk::sim::vector
