#include "sim/machine/program.h"

namespace hk::sim {

void Program::finish() {
  m_index_by_word.clear();
  if (instructions.empty())
    return;
  const Instruction& last = instructions.back();
  m_index_by_word.assign((last.offset + last.size + 3) / 4, -1);
  for (std::size_t i = 0; i < instructions.size(); ++i)
    m_index_by_word[instructions[i].offset / 4] = std::int32_t(i);
  for (Instruction& instruction : instructions)
    if (instruction.is_direct_branch)
      instruction.branch_target = std::int32_t(index_of(instruction.offset + std::uint64_t(instruction.branch_bytes)));
}

} // namespace hk::sim
