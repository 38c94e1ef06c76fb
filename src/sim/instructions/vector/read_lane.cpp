// Moves between one lane of a vector register and a scalar register. EXEC does not matter, except for which lane is
// first.

#include <bit>

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/scalar_source.h"

namespace hk::sim {

using namespace vector;

namespace {

bool is_register(Wave& wave, const Instruction& instruction, unsigned position, OperandKind kind) {
  if (instruction.operands[position].kind == kind)
    return true;
  wave.raise(FaultKind::unsupported_operand, instruction,
             "operand " + std::to_string(position) + " is not a register of the kind that lane moves use");
  return false;
}

unsigned lane_number(const Wave& wave, const Operand& operand) {
  return unsigned(scalar_bits(wave, operand, Kind::u32)) % k_wave_size;
}

void read(Wave& wave, const Instruction& instruction, unsigned lane) {
  if (!is_register(wave, instruction, 0, OperandKind::scalar_register))
    return;
  const Operand& source = instruction.operands[1];
  // The compiler also reads scalar registers through v_readfirstlane_b32.
  wave.scalar[instruction.operands[0].index] = source.kind == OperandKind::vector_register
                                                   ? wave.vector[source.index][lane]
                                                   : std::uint32_t(scalar_bits(wave, source, Kind::u32));
}

void execute_read_lane(Wave& wave, const Instruction& instruction) {
  read(wave, instruction, lane_number(wave, instruction.operands[2]));
}

void execute_read_first_lane(Wave& wave, const Instruction& instruction) {
  const std::uint64_t exec = wave.exec();
  read(wave, instruction, exec == 0 ? 0U : unsigned(std::countr_zero(exec)));
}

void execute_write_lane(Wave& wave, const Instruction& instruction) {
  if (!is_register(wave, instruction, 0, OperandKind::vector_register))
    return;
  const unsigned lane = lane_number(wave, instruction.operands[2]);
  wave.vector[instruction.operands[0].index][lane] =
      std::uint32_t(scalar_bits(wave, instruction.operands[1], Kind::u32));
}

} // namespace

void register_read_lane(OperationTable& table) {
  table.add(vector_operation("v_readlane_b32", execute_read_lane));
  table.add(vector_operation("v_readfirstlane_b32", execute_read_first_lane));
  table.add(vector_operation("v_writelane_b32", execute_write_lane));
}

} // namespace hk::sim
