// Branches, calls and the program counter.
#include "sim/instructions/scalar/access/scalar_access.h"
#include "sim/machine/program.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

namespace {

using namespace scalar;

void go_to(Wave& wave, const Instruction& instruction, std::int64_t index) {
  if (index >= 0) {
    wave.next = std::uint32_t(index);
    return;
  }
  wave.raise(FaultKind::bad_program_counter, instruction, "no instruction of the code object starts at the target");
}

void branch(Wave& wave, const Instruction& instruction) {
  go_to(wave, instruction, instruction.branch_target);
}

template <bool (*condition)(const Wave&)>
void branch_if(Wave& wave, const Instruction& instruction) {
  if (condition(wave))
    branch(wave, instruction);
}

bool scc_clear(const Wave& wave) {
  return !wave.scc;
}
bool scc_set(const Wave& wave) {
  return wave.scc;
}
bool vcc_zero(const Wave& wave) {
  return wave.vcc() == 0;
}
bool vcc_not_zero(const Wave& wave) {
  return wave.vcc() != 0;
}
bool exec_zero(const Wave& wave) {
  return wave.exec() == 0;
}
bool exec_not_zero(const Wave& wave) {
  return wave.exec() != 0;
}

// Device address of the instruction behind this one.
std::uint64_t return_address(const Wave& wave) {
  return wave.workgroup->program->address_of(wave.next);
}

void get_program_counter(Wave& wave, const Instruction& instruction) {
  write64(wave, instruction, return_address(wave));
}

void jump(Wave& wave, const Instruction& instruction, std::uint64_t address) {
  const Program& program = *wave.workgroup->program;
  go_to(wave, instruction, program.index_of(address - program.code_address));
  if (wave.fault.any() && wave.fault.address == 0)
    wave.fault.address = address;
}

void set_program_counter(Wave& wave, const Instruction& instruction) {
  jump(wave, instruction, read64(wave, instruction, 0));
}

void swap_program_counter(Wave& wave, const Instruction& instruction) {
  const std::uint64_t target = read64(wave, instruction, 1);
  write64(wave, instruction, return_address(wave));
  jump(wave, instruction, target);
}

void call(Wave& wave, const Instruction& instruction) {
  write64(wave, instruction, return_address(wave));
  branch(wave, instruction);
}

Operation branch_operation(const char* mnemonic, Execute execute, std::uint8_t destinations = 0) {
  Operation operation = scalar_operation(mnemonic, execute, destinations);
  operation.operation_class = OperationClass::branch;
  return operation;
}

} // namespace

void register_scalar_branch(OperationTable& table) {
  table.add(branch_operation("s_branch", branch));
  table.add(branch_operation("s_cbranch_scc0", branch_if<scc_clear>));
  table.add(branch_operation("s_cbranch_scc1", branch_if<scc_set>));
  for (Operation operation : {branch_operation("s_cbranch_vccz", branch_if<vcc_zero>),
                              branch_operation("s_cbranch_vccnz", branch_if<vcc_not_zero>)}) {
    operation.implies_vcc = true;
    table.add(operation);
  }
  for (Operation operation : {branch_operation("s_cbranch_execz", branch_if<exec_zero>),
                              branch_operation("s_cbranch_execnz", branch_if<exec_not_zero>)}) {
    operation.implies_exec = true;
    table.add(operation);
  }
  table.add(branch_operation("s_getpc_b64", get_program_counter, 1));
  table.add(branch_operation("s_setpc_b64", set_program_counter));
  table.add(branch_operation("s_swappc_b64", swap_program_counter, 1));
  table.add(branch_operation("s_call_b64", call, 1));
}

} // namespace hk::sim
