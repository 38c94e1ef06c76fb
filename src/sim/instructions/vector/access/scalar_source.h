#pragma once
// The value of a source operand that is the same in every lane: scalar registers, constants and special values.

#include <cstdint>

#include "sim/instructions/vector/access/lane_types.h"

namespace hk::sim {
struct Operand;
struct Wave;
} // namespace hk::sim

namespace hk::sim::vector {

// The bits of the constant as an operand of the kind: a float constant has the format of the operand (f32 for integer
// operands), an integer constant is sign-extended, a 32-bit literal is the upper half of an f64 and is zero-extended
// for 64-bit integers ("CDNA3 ISA", section "Constants and literals").
std::uint64_t constant_bits(const Operand& operand, Kind kind);

// Whether the operand has a value that this function can supply; vector registers and "off" have not.
bool is_scalar_source(const Operand& operand);

// `dword` selects a half of a pair for 32-bit operands of packed operations, 0 otherwise.
std::uint64_t scalar_bits(const Wave& wave, const Operand& operand, Kind kind, unsigned dword = 0);

} // namespace hk::sim::vector
