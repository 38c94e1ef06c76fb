// ds_swizzle_b32: a fixed exchange of dwords between lanes, chosen by the 16-bit offset; LDS is not touched. Lanes that
// are off give 0.

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

unsigned reverse_five_bits(unsigned value) {
  unsigned reversed = 0;
  for (int i = 0; i < 5; ++i)
    reversed |= (value >> i & 1) << (4 - i);
  return reversed;
}

// The lane that `lane` receives from ("CDNA4 ISA", DS_SWIZZLE_B32).
int swizzle_source(unsigned offset, int lane) {
  const unsigned half = unsigned(lane) & 0x20;
  const unsigned index = unsigned(lane) & 0x1f;
  const unsigned mask = offset & 0x1f;
  if (offset >= 0xe000) // FFT decomposition
    return int((reverse_five_bits(index) >> std::popcount(mask)) | (index & mask) | half);
  if (offset >= 0xc000) { // rotate
    const unsigned amount = offset >> 5 & 0x1f;
    const unsigned rotated = offset & 0x400 ? index - amount : index + amount;
    return int((index & mask) | (rotated & ~mask & 0x1f) | half);
  }
  if (offset & 0x8000) // any lane of the same four
    return (lane & ~3) | int(offset >> (2 * (lane & 3)) & 3);
  const unsigned or_mask = offset >> 5 & 0x1f;
  const unsigned xor_mask = offset >> 10 & 0x1f;
  return int((((index & mask) | or_mask) ^ xor_mask) | half);
}

void complete_swizzle(Wave& wave, const PendingAccess& access) {
  std::uint32_t* target = wave.vector[access.instruction->operands[0].index];
  for_each_lane(access.exec, [&](int lane) { target[lane] = access.data[lane][0]; });
}

void execute_swizzle(Wave& wave, const Instruction& instruction) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  const std::uint32_t* values = wave.vector[instruction.operands[1].index];
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const int source = swizzle_source(std::uint16_t(instruction.modifiers.offset), lane);
    access.data[lane][0] = access.exec >> source & 1 ? values[source] : 0;
  }
  access.complete = complete_swizzle;
  wave.issue_prepared(true);
}

} // namespace

void register_ds_swizzle(OperationTable& table) {
  add_lds_operation(table, "ds_swizzle_b32", execute_swizzle, 1, 4);
}

} // namespace hk::sim
