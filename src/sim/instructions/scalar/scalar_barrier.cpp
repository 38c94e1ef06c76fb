// Barrier, end of program and trap: what the workgroup's scheduler has to know of.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

// Waits for no access: what a barrier is to protect needs a wait before it.
void arrive(Wave& wave, const Instruction&) {
  wave.at_barrier = true;
}

void end_program(Wave& wave, const Instruction&) {
  wave.ended = true;
}

void trap(Wave& wave, const Instruction& instruction) {
  const std::uint32_t number = unsigned_immediate(instruction, 0) & 0xff;
  std::string meaning = "trap " + std::to_string(number);
  if (number == 2)
    meaning += ", which __builtin_trap() and failed assertions compile to";
  wave.raise(FaultKind::trap, instruction, meaning);
}

Operation control(const char* mnemonic, Execute execute) {
  Operation operation = scalar_operation(mnemonic, execute, 0);
  operation.operation_class = OperationClass::branch;
  return operation;
}

} // namespace

void register_scalar_barrier(OperationTable& table) {
  table.add(control("s_barrier", arrive));
  table.add(control("s_endpgm", end_program));
  table.add(control("s_trap", trap));
}

} // namespace hk::sim
