#include "sim/decode/prepare_instruction.h"

#include "sim/machine/operation.h"

namespace hk::sim {

namespace {

bool is_plain_operand(const Operand& operand) {
  if (operand.negate || operand.absolute || operand.sign_extend || operand.select != Selection::dword)
    return false;
  switch (operand.kind) {
  case OperandKind::vector_register:
  case OperandKind::scalar_register:
  case OperandKind::integer_constant:
  case OperandKind::float_constant:
    return true;
  default:
    return false;
  }
}

// Destinations and lane masks of vector operations: a vector register, or a pair of scalar registers.
bool is_vector_or_pair(const Operand& operand) {
  return operand.kind == OperandKind::vector_register ||
         (operand.kind == OperandKind::scalar_register && operand.registers == 2);
}

bool is_plain(const Instruction& instruction) {
  const Modifiers& modifiers = instruction.modifiers;
  if (instruction.encoding == Encoding::sdwa || modifiers.dpp != DppControl::none || modifiers.clamp ||
      modifiers.output_multiplier != 0 || modifiers.neg_lo != 0 || modifiers.neg_hi != 0)
    return false;
  for (unsigned i = 0; i < instruction.operand_count; ++i)
    if (!is_plain_operand(instruction.operands[i]))
      return false;
  for (unsigned i = 0; i < instruction.operation->destinations; ++i)
    if (!is_vector_or_pair(instruction.operands[i]))
      return false;
  return true;
}

} // namespace

void prepare_instruction(Instruction& instruction) {
  const Operation& operation = *instruction.operation;
  instruction.execute = operation.execute;
  instruction.plain = is_plain(instruction);
  if (operation.plain_execute != nullptr && instruction.plain &&
      (operation.plain_with_op_sel || instruction.modifiers.op_sel == 0))
    instruction.execute = operation.plain_execute;
}

} // namespace hk::sim
