// ds_read_addtid_b32 and ds_write_addtid_b32: a dword per lane at M0[15:0] + offset + 4 * lane.

#include <cstring>

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

PendingAccess* prepare(Wave& wave, const Instruction& instruction) {
  if (instruction.modifiers.gds) {
    wave.raise(FaultKind::unsupported_operand, instruction, "these targets have no global data share (gds)");
    return nullptr;
  }
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  const std::uint32_t base = (wave.scalar[k_m0] & 0xffffu) + std::uint32_t(instruction.modifiers.offset);
  for (int lane = 0; lane < k_wave_size; ++lane)
    access.addresses[lane] = base + 4u * unsigned(lane);
  return check_lds_range(wave, access, 0, 4) ? &access : nullptr;
}

void execute_read(Wave& wave, const Instruction& instruction) {
  PendingAccess* access = prepare(wave, instruction);
  if (access == nullptr)
    return;
  access->complete = [](Wave& self, const PendingAccess& pending) {
    std::uint32_t* target = self.vector[pending.instruction->operands[0].index];
    for_each_lane(pending.exec,
                  [&](int lane) { std::memcpy(&target[lane], lds_at(self, pending.addresses[lane]), 4); });
  };
  wave.issue_prepared(true);
}

void execute_write(Wave& wave, const Instruction& instruction) {
  PendingAccess* access = prepare(wave, instruction);
  if (access == nullptr)
    return;
  capture_data(wave, *access, instruction.operands[0], 0, 1);
  access->complete = [](Wave& self, const PendingAccess& pending) {
    for_each_lane(pending.exec,
                  [&](int lane) { std::memcpy(lds_at(self, pending.addresses[lane]), pending.data[lane].data(), 4); });
  };
  wave.issue_prepared(false);
}

void add_addtid(OperationTable& table, const char* mnemonic, Execute execute, std::uint8_t destinations) {
  Operation operation;
  operation.mnemonic = mnemonic;
  operation.execute = execute;
  operation.operation_class = OperationClass::lds;
  operation.destinations = destinations;
  operation.implies_m0 = true;
  table.add(std::move(operation));
}

} // namespace

void register_ds_addtid(OperationTable& table) {
  add_addtid(table, "ds_read_addtid_b32", execute_read, 1);
  add_addtid(table, "ds_write_addtid_b32", execute_write, 0);
}

} // namespace hk::sim
