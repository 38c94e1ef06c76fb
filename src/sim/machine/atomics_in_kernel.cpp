#include "sim/machine/atomics_in_kernel.h"

#include <algorithm>
#include <string_view>

#include "sim/machine/operation.h"

namespace hk::sim {

namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_order_dependent_atomic(const Instruction& instruction) {
  const std::string_view mnemonic = std::string_view(instruction.text).substr(0, instruction.text.find(' '));
  if (!contains(mnemonic, "_atomic_") || mnemonic.starts_with("ds_"))
    return false;
  if (instruction.modifiers.sc0)
    return true;
  for (const std::string_view part : {"f16", "f32", "f64", "swap", "_inc", "_dec"})
    if (contains(mnemonic, part))
      return true;
  return false;
}

bool is_call(const Instruction& instruction) {
  return instruction.text.starts_with("s_swappc") || instruction.text.starts_with("s_call") ||
         instruction.text.starts_with("s_setpc");
}

} // namespace

bool has_order_dependent_atomics(const Program& program, std::uint32_t entry) {
  const std::vector<Instruction>& instructions = program.instructions;
  std::int64_t farthest_branch = entry;
  for (std::size_t i = entry; i < instructions.size(); ++i) {
    const Instruction& instruction = instructions[i];
    if (is_order_dependent_atomic(instruction))
      return true;
    if (is_call(instruction))
      return std::any_of(instructions.begin(), instructions.end(), is_order_dependent_atomic);
    farthest_branch = std::max<std::int64_t>(farthest_branch, instruction.branch_target);
    if (instruction.text.starts_with("s_endpgm") && std::int64_t(i) >= farthest_branch)
      return false;
  }
  return false;
}

} // namespace hk::sim
