// Scalar moves, selections by SCC, and moves with the register number in M0.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

void move32(Wave& wave, const Instruction& instruction) {
  write32(wave, instruction, read32(wave, instruction, 1));
}

void move64(Wave& wave, const Instruction& instruction) {
  write64(wave, instruction, read64(wave, instruction, 1));
}

void move_constant(Wave& wave, const Instruction& instruction) {
  write32(wave, instruction, std::uint32_t(signed_immediate(instruction, 1)));
}

void conditional_move32(Wave& wave, const Instruction& instruction) {
  if (wave.scc)
    move32(wave, instruction);
}

void conditional_move64(Wave& wave, const Instruction& instruction) {
  if (wave.scc)
    move64(wave, instruction);
}

void conditional_move_constant(Wave& wave, const Instruction& instruction) {
  if (wave.scc)
    move_constant(wave, instruction);
}

std::uint32_t select32(std::uint32_t a, std::uint32_t b, bool& scc) {
  return scc ? a : b;
}

std::uint64_t select64(std::uint64_t a, std::uint64_t b, bool& scc) {
  return scc ? a : b;
}

// The register that is M0 behind the one named; raises a fault and says no if it is past the registers.
bool relative_register(Wave& wave, const Instruction& instruction, unsigned position, unsigned width, unsigned& index) {
  const std::uint64_t sum = std::uint64_t(instruction.operands[position].index) + wave.scalar[k_m0];
  index = unsigned(sum);
  if (sum + width <= 102)
    return true;
  wave.raise(FaultKind::unsupported_operand, instruction, "M0 leads past s101");
  return false;
}

void move_relative_source32(Wave& wave, const Instruction& instruction) {
  unsigned index = 0;
  if (relative_register(wave, instruction, 1, 1, index))
    write32(wave, instruction, wave.scalar[index]);
}

void move_relative_source64(Wave& wave, const Instruction& instruction) {
  unsigned index = 0;
  if (relative_register(wave, instruction, 1, 2, index))
    write64(wave, instruction, wave.scalar64(index));
}

void move_relative_destination32(Wave& wave, const Instruction& instruction) {
  unsigned index = 0;
  if (relative_register(wave, instruction, 0, 1, index))
    wave.scalar[index] = read32(wave, instruction, 1);
}

void move_relative_destination64(Wave& wave, const Instruction& instruction) {
  unsigned index = 0;
  if (relative_register(wave, instruction, 0, 2, index))
    wave.set_scalar64(index, read64(wave, instruction, 1));
}

Operation relative(const char* mnemonic, Execute execute) {
  Operation operation = scalar_operation(mnemonic, execute);
  operation.implies_m0 = true;
  return operation;
}

} // namespace

void register_scalar_move(OperationTable& table) {
  table.add(scalar_operation("s_mov_b32", move32));
  table.add(scalar_operation("s_mov_b64", move64));
  table.add(scalar_operation("s_movk_i32", move_constant));
  table.add(scalar_operation("s_cmov_b32", conditional_move32));
  table.add(scalar_operation("s_cmov_b64", conditional_move64));
  table.add(scalar_operation("s_cmovk_i32", conditional_move_constant));
  table.add(scalar_operation("s_cselect_b32", binary32<select32>));
  table.add(scalar_operation("s_cselect_b64", binary64<select64>));
  table.add(relative("s_movrels_b32", move_relative_source32));
  table.add(relative("s_movrels_b64", move_relative_source64));
  table.add(relative("s_movreld_b32", move_relative_destination32));
  table.add(relative("s_movreld_b64", move_relative_destination64));
}

} // namespace hk::sim
