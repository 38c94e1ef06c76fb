#pragma once
// One modifier behind the operands ("row_shl:1", "op_sel:[0,1]", "offen"), from text into the instruction.

#include <cstdint>
#include <string_view>

#include "sim/machine/instruction.h"

namespace hk::sim {

// `first_word` is the instruction's first dword; forms whose text loses bits (ds_swizzle) are read from it.
// False: the modifier is not known or its value not understood.
bool parse_modifier(std::string_view text, std::uint32_t first_word, Instruction& instruction);

} // namespace hk::sim
