// ds_write2_{b32,b64} and ds_write2st64_{b32,b64}: two values per lane, addresses as in ds_read2. Equal offsets mean
// one address: only the first value is written ("CDNA4 ISA", section "Data Share Indexed and Atomic Access").

#include <cstring>

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

template <int Bytes, int Unit>
void complete_write2(Wave& wave, const PendingAccess& access) {
  const Modifiers& modifiers = access.instruction->modifiers;
  const std::uint32_t first = modifiers.offset0 * Unit;
  const std::uint32_t second = modifiers.offset1 * Unit;
  for_each_lane(access.exec, [&](int lane) {
    std::memcpy(lds_at(wave, access.addresses[lane] + first), access.data[lane].data(), Bytes);
    if (first != second)
      std::memcpy(lds_at(wave, access.addresses[lane] + second), access.data[lane].data() + Bytes / 4, Bytes);
  });
}

template <int Bytes, int Unit>
void execute_write2(Wave& wave, const Instruction& instruction) {
  PendingAccess* access = prepare_lds_access(wave, instruction, instruction.operands[0], 0, 0);
  if (access == nullptr || !check_lds_range(wave, *access, instruction.modifiers.offset0 * Unit, Bytes) ||
      !check_lds_range(wave, *access, instruction.modifiers.offset1 * Unit, Bytes))
    return;
  capture_data(wave, *access, instruction.operands[1], 0, Bytes / 4);
  capture_data(wave, *access, instruction.operands[2], Bytes / 4, Bytes / 4);
  access->complete = complete_write2<Bytes, Unit>;
  wave.issue_prepared(false);
}

} // namespace

void register_ds_write2(OperationTable& table) {
  add_lds_operation(table, "ds_write2_b32", execute_write2<4, 4>, 0, 8);
  add_lds_operation(table, "ds_write2_b64", execute_write2<8, 8>, 0, 16);
  add_lds_operation(table, "ds_write2st64_b32", execute_write2<4, 4 * 64>, 0, 8);
  add_lds_operation(table, "ds_write2st64_b64", execute_write2<8, 8 * 64>, 0, 16);
}

} // namespace hk::sim
