#include "sim/instructions/vector_memory/access/load_to_lds.h"

#include <cstdio>

namespace hk::sim {

bool set_lds_destination(Wave& wave, PendingAccess& access, const ElementFormat& format) {
  const Instruction& instruction = *access.instruction;
  const Target target = wave.workgroup->target;
  if (format.bytes > 4 && target == Target::gfx942) {
    wave.raise(FaultKind::unsupported_operand, instruction, "gfx942 loads into LDS at most 4 bytes per lane");
    return false;
  }
  // gfx942 has 64 KiB of LDS and a 16-bit M0 base, gfx950 160 KiB and 18 bits.
  const std::uint32_t m0 = wave.scalar[k_m0] & (target == Target::gfx942 ? 0xffffu : 0x3ffffu);
  const std::int64_t base = std::int64_t(m0) + instruction.modifiers.offset;
  const std::uint64_t size = wave.workgroup->lds.size();
  if (base % 4 != 0) {
    wave.raise(FaultKind::misaligned, instruction, "M0 + offset must be a multiple of 4 for a load into LDS", -1,
               std::uint64_t(base));
    return false;
  }
  const std::uint64_t stored = std::uint64_t(unsigned(format.registers())) * 4;
  access.lds_base = std::uint64_t(base);
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::int64_t slot = base + std::int64_t(lds_slot_bytes(format)) * lane;
    if (!(access.exec >> lane & 1) || (slot >= 0 && std::uint64_t(slot) + stored <= size))
      continue;
    char text[160];
    std::snprintf(text, sizeof text,
                  "the load delivers to LDS address %lld (M0 0x%x), but the workgroup has %llu bytes",
                  static_cast<long long>(slot), wave.scalar[k_m0], static_cast<unsigned long long>(size));
    wave.raise(FaultKind::lds_out_of_bounds, instruction, text, lane, std::uint64_t(slot));
    return false;
  }
  return true;
}

} // namespace hk::sim
