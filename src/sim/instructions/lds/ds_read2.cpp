// ds_read2_{b32,b64} and ds_read2st64_{b32,b64}: two values per lane at address + offset0 * unit and address + offset1
// * unit, where the unit is the value's size, times 64 for the st64 forms. The first value lands in the first
// registers.

#include <cstring>

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

template <int Bytes, int Unit>
void complete_read2(Wave& wave, const PendingAccess& access) {
  constexpr int k_dwords = Bytes / 4;
  const Instruction& instruction = *access.instruction;
  auto* target = &wave.vector[instruction.operands[0].index];
  const std::uint32_t first = instruction.modifiers.offset0 * Unit;
  const std::uint32_t second = instruction.modifiers.offset1 * Unit;
  for_each_lane(access.exec, [&](int lane) {
    std::uint32_t values[2 * k_dwords];
    std::memcpy(values, lds_at(wave, access.addresses[lane] + first), Bytes);
    std::memcpy(values + k_dwords, lds_at(wave, access.addresses[lane] + second), Bytes);
    for (int i = 0; i < 2 * k_dwords; ++i)
      target[i][lane] = values[i];
  });
}

template <int Bytes, int Unit>
void execute_read2(Wave& wave, const Instruction& instruction) {
  PendingAccess* access = prepare_lds_access(wave, instruction, instruction.operands[1], 0, 0);
  if (access == nullptr || !check_lds_range(wave, *access, instruction.modifiers.offset0 * Unit, Bytes) ||
      !check_lds_range(wave, *access, instruction.modifiers.offset1 * Unit, Bytes))
    return;
  access->complete = complete_read2<Bytes, Unit>;
  wave.issue_prepared(true);
}

} // namespace

void register_ds_read2(OperationTable& table) {
  add_lds_operation(table, "ds_read2_b32", execute_read2<4, 4>, 1, 8);
  add_lds_operation(table, "ds_read2_b64", execute_read2<8, 8>, 1, 16);
  add_lds_operation(table, "ds_read2st64_b32", execute_read2<4, 4 * 64>, 1, 8);
  add_lds_operation(table, "ds_read2st64_b64", execute_read2<8, 8 * 64>, 1, 16);
}

} // namespace hk::sim
