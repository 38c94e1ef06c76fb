// ds_wrxchg2_rtn and ds_wrxchg2st64_rtn swap two values per lane, addresses as in ds_read2; ds_condxchg32_rtn_b64 swaps
// each of two dwords whose top bit is set, and clears that bit in memory.

#include <cstring>

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

template <int Bytes, int Unit>
void complete_exchange2(Wave& wave, const PendingAccess& access) {
  constexpr int k_dwords = Bytes / 4;
  const Instruction& instruction = *access.instruction;
  auto* target = &wave.vector[instruction.operands[0].index];
  for_each_lane(access.exec, [&](int lane) {
    std::byte* first = lds_at(wave, access.addresses[lane] + std::uint64_t(instruction.modifiers.offset0) * Unit);
    std::byte* second = lds_at(wave, access.addresses[lane] + std::uint64_t(instruction.modifiers.offset1) * Unit);
    std::uint32_t old[2 * k_dwords];
    std::memcpy(old, first, Bytes);
    std::memcpy(old + k_dwords, second, Bytes);
    std::memcpy(first, access.data[lane].data(), Bytes);
    std::memcpy(second, access.data[lane].data() + k_dwords, Bytes);
    for (int i = 0; i < 2 * k_dwords; ++i)
      target[i][lane] = old[i];
  });
}

template <int Bytes, int Unit>
void execute_exchange2(Wave& wave, const Instruction& instruction) {
  PendingAccess* access = prepare_lds_access(wave, instruction, instruction.operands[1], 0, 0);
  if (access == nullptr || !check_lds_alignment(wave, *access, Bytes) ||
      !check_lds_range(wave, *access, instruction.modifiers.offset0 * Unit, Bytes) ||
      !check_lds_range(wave, *access, instruction.modifiers.offset1 * Unit, Bytes))
    return;
  capture_data(wave, *access, instruction.operands[2], 0, Bytes / 4);
  capture_data(wave, *access, instruction.operands[3], Bytes / 4, Bytes / 4);
  access->complete = complete_exchange2<Bytes, Unit>;
  wave.issue_prepared(true);
}

void complete_conditional(Wave& wave, const PendingAccess& access) {
  auto* target = &wave.vector[access.instruction->operands[0].index];
  for_each_lane(access.exec, [&](int lane) {
    for (int i = 0; i < 2; ++i) {
      std::byte* place = lds_at(wave, access.addresses[lane] + std::uint64_t(unsigned(i)) * 4);
      std::memcpy(&target[i][lane], place, 4);
      const std::uint32_t data = access.data[lane][i];
      const std::uint32_t value = data & 0x7fffffffu;
      if (data != value)
        std::memcpy(place, &value, 4);
    }
  });
}

void execute_conditional(Wave& wave, const Instruction& instruction) {
  PendingAccess* access =
      prepare_lds_access(wave, instruction, instruction.operands[1], std::uint32_t(instruction.modifiers.offset), 8);
  if (access == nullptr || !check_lds_alignment(wave, *access, 8))
    return;
  capture_data(wave, *access, instruction.operands[2], 0, 2);
  access->complete = complete_conditional;
  wave.issue_prepared(true);
}

} // namespace

void register_ds_exchange(OperationTable& table) {
  add_lds_operation(table, "ds_wrxchg2_rtn_b32", execute_exchange2<4, 4>, 1, 8);
  add_lds_operation(table, "ds_wrxchg2_rtn_b64", execute_exchange2<8, 8>, 1, 16);
  add_lds_operation(table, "ds_wrxchg2st64_rtn_b32", execute_exchange2<4, 4 * 64>, 1, 8);
  add_lds_operation(table, "ds_wrxchg2st64_rtn_b64", execute_exchange2<8, 8 * 64>, 1, 16);
  add_lds_operation(table, "ds_condxchg32_rtn_b64", execute_conditional, 1, 8);
}

} // namespace hk::sim
