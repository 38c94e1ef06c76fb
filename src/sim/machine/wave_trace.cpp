#include "sim/machine/wave_trace.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "sim/machine/run_wave.h"

namespace hk::sim {

namespace {

// " s[4:5]=..." of the registers that the instruction has written; empty while a load into them is in flight.
std::string destination_text(const Wave& wave, const Instruction& instruction) {
  if (instruction.operation == nullptr || instruction.operation->destinations == 0 || instruction.operand_count == 0)
    return {};
  const Operand& target = instruction.operands[0];
  const bool scalar = target.kind == OperandKind::scalar_register;
  if (!scalar && target.kind != OperandKind::vector_register)
    return {};
  std::string text = " =";
  // Wider results are tuples of a memory or matrix instruction; two registers say what they are.
  const unsigned count = std::min<unsigned>(target.registers, 2);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned index = target.index + i;
    if (scalar ? index >= k_scalar_register_count || wave.scalar_in_flight[index]
               : index >= k_vector_register_count || wave.vector_in_flight[index])
      return " =in flight";
    std::array<char, 16> word{};
    std::snprintf(word.data(), word.size(), " %08x", scalar ? wave.scalar[index] : wave.vector[index][0]);
    text += word.data();
  }
  return text;
}

void append_line(const Wave& wave, const Instruction& instruction, std::uint64_t offset, WaveTrace& trace) {
  std::array<char, 64> place{};
  std::snprintf(place.data(), place.size(), "%8llu +0x%05llx ", static_cast<unsigned long long>(wave.executed),
                static_cast<unsigned long long>(offset));
  std::array<char, 64> state{};
  std::snprintf(state.data(), state.size(), " ; exec %016llx scc %d", static_cast<unsigned long long>(wave.exec()),
                wave.scc ? 1 : 0);
  trace.text.append(place.data()).append(instruction.text).append(state.data());
  trace.text.append(destination_text(wave, instruction)).append("\n");
  ++trace.lines;
}

} // namespace

void run_traced_wave(Wave& wave, const Program& program, std::uint64_t quantum, WaveTrace& trace) {
  const std::uint64_t kernel_offset = wave.workgroup == nullptr ? 0 : wave.workgroup->kernel_offset;
  while (quantum > 0 && trace.lines < trace.line_limit) {
    const std::uint32_t at = wave.next;
    const std::uint64_t before = wave.executed;
    run_wave(wave, program, 1);
    if (wave.executed == before)
      return;
    const Instruction& instruction = program.instructions[at];
    append_line(wave, instruction, instruction.offset - kernel_offset, trace);
    --quantum;
    if (wave.fault.any() || wave.ended || wave.at_barrier || wave.yields)
      return;
  }
  if (quantum > 0)
    run_wave(wave, program, quantum);
}

} // namespace hk::sim
