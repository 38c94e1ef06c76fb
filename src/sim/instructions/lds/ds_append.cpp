// ds_append and ds_consume: add or subtract the number of active lanes to one dword, at M0[15:0] + offset; every active
// lane receives the value from before.

#include <cstring>

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

template <bool Append>
void complete_count(Wave& wave, const PendingAccess& access) {
  std::byte* place = lds_at(wave, access.lds_base);
  std::uint32_t old;
  std::memcpy(&old, place, sizeof old);
  const auto lanes = std::uint32_t(std::popcount(access.exec));
  const std::uint32_t value = Append ? old + lanes : old - lanes;
  std::memcpy(place, &value, sizeof value);
  std::uint32_t* target = wave.vector[access.instruction->operands[0].index];
  for_each_lane(access.exec, [&](int lane) { target[lane] = old; });
}

template <bool Append>
void execute_count(Wave& wave, const Instruction& instruction) {
  if (instruction.modifiers.gds) {
    wave.raise(FaultKind::unsupported_operand, instruction, "these targets have no global data share (gds)");
    return;
  }
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  access.lds_base = (wave.scalar[k_m0] & 0xffffu) + std::uint32_t(instruction.modifiers.offset);
  access.addresses.fill(access.lds_base);
  if (!check_lds_range(wave, access, 0, 4) || !check_lds_alignment(wave, access, 4))
    return;
  access.complete = complete_count<Append>;
  wave.issue_prepared(true);
}

void add_count(OperationTable& table, const char* mnemonic, Execute execute) {
  Operation operation;
  operation.mnemonic = mnemonic;
  operation.execute = execute;
  operation.operation_class = OperationClass::lds;
  operation.implies_m0 = true;
  table.add(std::move(operation));
}

} // namespace

void register_ds_append(OperationTable& table) {
  add_count(table, "ds_append", execute_count<true>);
  add_count(table, "ds_consume", execute_count<false>);
}

} // namespace hk::sim
