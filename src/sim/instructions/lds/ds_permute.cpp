// ds_permute_b32 sends, ds_bpermute_b32 fetches a dword between lanes; LDS itself is not touched. The address is the
// lane number times four, modulo 256. Lanes that are off neither send nor can be fetched from: the result is 0 there.

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

void complete_permuted(Wave& wave, const PendingAccess& access) {
  std::uint32_t* target = wave.vector[access.instruction->operands[0].index];
  for_each_lane(access.exec, [&](int lane) { target[lane] = access.data[lane][0]; });
}

int lane_of_address(std::uint32_t address, const Instruction& instruction) {
  return int((address + std::uint32_t(instruction.modifiers.offset)) / 4 % k_wave_size);
}

void execute_permute(Wave& wave, const Instruction& instruction) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  const std::uint32_t* addresses = wave.vector[instruction.operands[1].index];
  const std::uint32_t* values = wave.vector[instruction.operands[2].index];
  for (int lane = 0; lane < k_wave_size; ++lane)
    access.data[lane][0] = 0;
  for_each_lane(access.exec, [&](int lane) { // ascending: of several senders the highest lane stays
    access.data[lane_of_address(addresses[lane], instruction)][0] = values[lane];
  });
  access.complete = complete_permuted;
  wave.issue_prepared(true);
}

void execute_bpermute(Wave& wave, const Instruction& instruction) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  const std::uint32_t* addresses = wave.vector[instruction.operands[1].index];
  const std::uint32_t* values = wave.vector[instruction.operands[2].index];
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const int source = lane_of_address(addresses[lane], instruction);
    access.data[lane][0] = access.exec >> source & 1 ? values[source] : 0;
  }
  access.complete = complete_permuted;
  wave.issue_prepared(true);
}

} // namespace

void register_ds_permute(OperationTable& table) {
  add_lds_operation(table, "ds_permute_b32", execute_permute, 1, 4);
  add_lds_operation(table, "ds_bpermute_b32", execute_bpermute, 1, 4);
}

} // namespace hk::sim
