#include "sim/decode/touched_registers.h"

#include "sim/machine/operation.h"

namespace hk::sim {

namespace {

void add(Instruction& instruction, RegisterRange range) {
  if (instruction.touched_count < instruction.touched.size())
    instruction.touched[instruction.touched_count++] = range;
}

} // namespace

void collect_touched_registers(Instruction& instruction) {
  for (unsigned i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind == OperandKind::vector_register)
      add(instruction, {operand.index, operand.registers, false});
    else if (operand.kind == OperandKind::scalar_register)
      add(instruction, {operand.index, operand.registers, true});
    else if (operand.kind == OperandKind::special && operand.index == std::uint16_t(SpecialOperand::vccz))
      add(instruction, {k_vcc_lo, 2, true});
    else if (operand.kind == OperandKind::special && operand.index == std::uint16_t(SpecialOperand::execz))
      add(instruction, {k_exec_lo, 2, true});
  }
  const Operation* operation = instruction.operation;
  if (operation == nullptr)
    return;
  const bool masked = operation->operation_class >= OperationClass::vector;
  if (masked || operation->implies_exec)
    add(instruction, {k_exec_lo, 2, true});
  if (operation->implies_vcc)
    add(instruction, {k_vcc_lo, 2, true});
  if (operation->implies_m0 || instruction.modifiers.lds)
    add(instruction, {k_m0, 1, true});
}

} // namespace hk::sim
