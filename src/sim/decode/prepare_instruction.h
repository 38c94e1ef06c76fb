#pragma once

#include "sim/machine/instruction.h"

namespace hk::sim {

// Chooses the function that executes a decoded instruction whose operation is implemented: the operation's quick form
// if the instruction is plain, else the general one. What can be known before execution is looked at here, once, and
// not each time the instruction runs.
void prepare_instruction(Instruction& instruction);

} // namespace hk::sim
