#pragma once
// The bytes behind a lane's address: device memory, or LDS for a generic address in the shared aperture.

#include <cstddef>
#include <cstdint>

#include "sim/machine/memory.h"
#include "sim/machine/target.h"
#include "sim/machine/wave.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

constexpr bool is_shared_address(std::uint64_t address) {
  return address >> 32 == k_shared_aperture_base >> 32;
}

constexpr bool is_private_address(std::uint64_t address) {
  return address >> 32 == k_private_aperture_base >> 32;
}

// Remembers the allocation of the last lane, so that a wave's access usually costs one look-up.
class LaneMemory {
 public:
  explicit LaneMemory(const Wave& wave) : m_workgroup(*wave.workgroup) {}

  // Null unless the bytes lie in one live allocation, and null for a write to a read-only one.
  [[nodiscard]] std::byte* device(std::uint64_t address, std::uint32_t bytes, bool writes) {
    if (!m_last.contains(address, bytes))
      m_last = m_workgroup.memory->find(address);
    if (!m_last.contains(address, bytes) || (writes && m_last.read_only))
      return nullptr;
    return m_last.at(address);
  }

  // The same, with addresses of the shared aperture going to LDS.
  [[nodiscard]] std::byte* generic(std::uint64_t address, std::uint32_t bytes, bool writes) {
    if (!is_shared_address(address))
      return device(address, bytes, writes);
    const std::uint64_t offset = address & 0xffffffffu;
    return offset + bytes <= m_workgroup.lds.size() ? m_workgroup.lds.data() + offset : nullptr;
  }

 private:
  Workgroup& m_workgroup;
  MappedRange m_last;
};

// The allocation that holds `bytes` bytes at the addresses of all 64 lanes, the usual case; an empty range (null host)
// if EXEC is not full, the lanes lie in several allocations, or a write goes to a read-only one. `tag` is what every
// address has in its upper bits besides the address.
MappedRange range_of_all_lanes(const Wave& wave, const PendingAccess& access, std::uint32_t bytes, bool writes,
                               std::uint64_t tag = 0);

// Raises the fault of an address that LaneMemory refused, with the nearest allocation in the explanation.
void raise_inaccessible(Wave& wave, const PendingAccess& access, int lane, std::uint64_t address, std::uint32_t bytes,
                        bool writes);

// Raises and returns false unless `bytes` bytes of every active lane are accessible. `generic` admits LDS addresses.
bool check_lane_addresses(Wave& wave, const PendingAccess& access, std::uint32_t bytes, bool writes, bool generic);

// Raises misaligned and returns false unless every active address is a multiple of `alignment` (atomics).
bool check_lane_alignment(Wave& wave, const PendingAccess& access, std::uint32_t alignment);

} // namespace hk::sim
