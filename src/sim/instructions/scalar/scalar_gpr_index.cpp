// VGPR indexing mode: MODE says whether vector instructions add M0[7:0] to register numbers, M0[15:12] to which
// operands.
#include "sim/instructions/scalar/access/scalar_access.h"
#include "sim/machine/mode_register.h"

namespace hk::sim {

namespace {

using namespace scalar;

constexpr std::uint32_t k_index_mask = 0xff;
constexpr std::uint32_t k_operand_shift = 12;
constexpr std::uint32_t k_operand_mask = 0xfU << k_operand_shift;

void set_index(Wave& wave, std::uint32_t index) {
  wave.scalar[k_m0] = (wave.scalar[k_m0] & ~k_index_mask) | (index & k_index_mask);
}

void set_operands(Wave& wave, std::uint32_t which) {
  wave.scalar[k_m0] = (wave.scalar[k_m0] & ~k_operand_mask) | ((which << k_operand_shift) & k_operand_mask);
}

void switch_on(Wave& wave, const Instruction& instruction) {
  wave.mode |= k_mode_gpr_index_enable;
  set_index(wave, read32(wave, instruction, 0));
  set_operands(wave, unsigned_immediate(instruction, 1));
}

void switch_off(Wave& wave, const Instruction&) {
  wave.mode &= ~k_mode_gpr_index_enable;
}

void change_operands(Wave& wave, const Instruction& instruction) {
  set_operands(wave, unsigned_immediate(instruction, 0));
}

void change_index(Wave& wave, const Instruction& instruction) {
  set_index(wave, read32(wave, instruction, 0));
}

Operation indexing(const char* mnemonic, Execute execute) {
  Operation operation = scalar_operation(mnemonic, execute, 0);
  operation.implies_m0 = true;
  return operation;
}

} // namespace

void register_scalar_gpr_index(OperationTable& table) {
  table.add(indexing("s_set_gpr_idx_on", switch_on));
  table.add(indexing("s_set_gpr_idx_off", switch_off));
  table.add(indexing("s_set_gpr_idx_mode", change_operands));
  table.add(indexing("s_set_gpr_idx_idx", change_index));
}

} // namespace hk::sim
