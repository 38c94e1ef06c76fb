#include "sim/machine/run_wave.h"

namespace hk::sim {

void run_wave(Wave& wave, const Program& program, std::uint64_t quantum) {
  const Instruction* const instructions = program.instructions.data();
  const std::uint32_t count = std::uint32_t(program.instructions.size());
  wave.yields = false;
  while (quantum-- > 0) {
    if (wave.next >= count) {
      wave.raise(FaultKind::bad_program_counter, count == 0 ? Instruction{} : instructions[count - 1],
                 "the wave ran past the last instruction of the code object");
      break;
    }
    const Instruction& instruction = instructions[wave.next++];
    if (wave.loads_to_registers != 0 && wave.uses_register_in_flight(instruction))
      break;
    instruction.execute(wave, instruction);
    ++wave.executed;
    if (const Operation* operation = instruction.operation) {
      wave.issue_clocks += operation->issue_clocks;
      ++wave.executed_by_class[std::size_t(operation->operation_class)];
      wave.issue_clocks_by_class[std::size_t(operation->operation_class)] += operation->issue_clocks;
    }
    if (wave.fault.any() || wave.ended || wave.at_barrier || wave.yields)
      break;
  }
  if (wave.ended)
    wave.complete_all();
}

} // namespace hk::sim
