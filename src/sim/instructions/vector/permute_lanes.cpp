// v_permlane16_swap and v_permlane32_swap: rows of one register change places with rows of another.

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

// `distance` lanes above lane i of source 0 lies its partner in operand 0, for every i whose bit `distance` is clear. A
// lane outside EXEC keeps its value; what an active lane gets from an inactive one follows the DPP rule: the value
// with fi:1, else 0 with bound_ctrl:1, else nothing is written.
template <unsigned distance>
void execute_swap(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  const Modifiers& modifiers = instruction.modifiers;
  const std::uint64_t exec = wave.exec();
  std::uint32_t* const upper = wave.vector[instruction.operands[0].index];
  std::uint32_t* const lower = wave.vector[instruction.operands[1].index];
  const auto store = [&](std::uint32_t& target, unsigned lane, std::uint32_t value, unsigned source_lane) {
    const bool readable = modifiers.fetch_inactive || ((exec >> source_lane) & 1) != 0;
    if (((exec >> lane) & 1) != 0 && (readable || modifiers.bound_ctrl))
      target = readable ? value : 0U;
  };
  for (unsigned lane = 0; lane < k_wave_size; ++lane) {
    if ((lane & distance) != 0)
      continue;
    const unsigned partner = lane + distance;
    const std::uint32_t from_upper = upper[partner];
    const std::uint32_t from_lower = lower[lane];
    store(lower[lane], lane, from_upper, partner);
    store(upper[partner], partner, from_lower, lane);
  }
}

} // namespace

void register_permute_lanes(OperationTable& table) {
  table.add(vector_operation("v_permlane16_swap_b32", execute_swap<16>, 2));
  table.add(vector_operation("v_permlane32_swap_b32", execute_swap<32>, 2));
}

} // namespace hk::sim
