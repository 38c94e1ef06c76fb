#pragma once
// Loads that deliver into LDS instead of registers ("CDNA4 ISA", section "Memory Buffer Load to LDS" and "Addressing"
// of FLAT): LDS byte = M0 + instruction offset + lane * slot. A slot is 4 bytes, and 16 for loads of 3 or 4 dwords, of
// which a 3-dword load leaves the last one alone. Bytes and shorts arrive extended to a dword. Lanes that are off leave
// their slot as it is. The data is in LDS from the vmcnt wait on.

#include "sim/instructions/lds/access/element_format.h"
#include "sim/instructions/vector_memory/access/transfer.h"
#include "sim/machine/wave.h"

namespace hk::sim {

constexpr std::uint32_t lds_slot_bytes(const ElementFormat& format) {
  return format.bytes > 4 ? 16 : 4;
}

// Fills access.lds_base and checks every active lane's slot; raises and returns false outside the workgroup's LDS.
bool set_lds_destination(Wave& wave, PendingAccess& access, const ElementFormat& format);

template <ElementFormat Format>
std::byte* lds_slot(Wave& wave, const PendingAccess& access, int lane) {
  return wave.workgroup->lds.data() + access.lds_base + lds_slot_bytes(Format) * unsigned(lane);
}

template <ElementFormat Format>
void complete_load_to_lds(Wave& wave, const PendingAccess& access) {
  const bool scoped = is_scoped(*access.instruction);
  LaneMemory memory(wave);
  for_each_lane(access.exec, [&](int lane) {
    const std::byte* source = memory.device(access.addresses[lane], Format.bytes, false);
    if (source == nullptr) {
      raise_inaccessible(wave, access, lane, access.addresses[lane], Format.bytes, false);
      return;
    }
    std::uint32_t dwords[4];
    load_dwords<Format>(source, scoped, dwords);
    std::memcpy(lds_slot<Format>(wave, access, lane), dwords, std::size_t(Format.registers()) * 4);
  });
}

} // namespace hk::sim
