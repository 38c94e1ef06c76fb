#pragma once
// One operand, from the assembler's text to an Operand.

#include <string_view>

#include "sim/machine/instruction.h"

namespace hk::sim {

// Understands v0, v[0:3], a[0:3], s[0:1], vcc, vcc_lo, exec, m0, ttmp4, flat_scratch, xnack_mask, src_*, off, -v1,
// |v1|,
// -|v1|, abs(v1), neg(v1), sext(v1), inline integers and floats, 0x literals. False: not understood.
// `literal` is set on 0x constants if the instruction has room for one (`may_hold_literal`).
bool parse_operand(std::string_view text, bool may_hold_literal, Operand& operand);

} // namespace hk::sim
