#pragma once
// Which registers an instruction reads or writes, named in its text or implied: what the in-flight check looks at.

#include "sim/machine/instruction.h"

namespace hk::sim {

// Fills touched and touched_count from the operands, the modifiers and the operation. A register operand 0 comes first.
void collect_touched_registers(Instruction& instruction);

} // namespace hk::sim
