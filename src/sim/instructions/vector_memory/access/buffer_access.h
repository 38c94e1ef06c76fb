#pragma once
// What every MUBUF access starts with: vdata (not with the lds modifier), vaddr or off, srsrc, soffset.

#include <cstdint>

#include "sim/instructions/lds/access/element_format.h"
#include "sim/instructions/lds/access/lanes.h"
#include "sim/instructions/vector_memory/access/buffer_resource.h"
#include "sim/machine/wave.h"

namespace hk::sim {

// An entry of PendingAccess::addresses of a buffer access: the 48-bit address, and above it how many bytes of the
// access are in range.
constexpr unsigned k_range_shift = 56;

constexpr std::uint64_t pack_buffer_address(const BufferAddress& address) {
  return address.address | std::uint64_t(address.bytes_in_range) << k_range_shift;
}
constexpr BufferAddress unpack_buffer_address(std::uint64_t packed) {
  return {packed & ((std::uint64_t{1} << k_range_shift) - 1), std::uint32_t(packed >> k_range_shift)};
}

struct BufferAccessKind {
  std::uint32_t bytes = 4;
  bool writes = false;
  bool atomic = false; // all or nothing in range, naturally aligned
};

// Prepares the access with packed addresses. `first_operand` is the index of vaddr. Null after a fault: a descriptor
// that hardware could not use, or an address that is in range but in no live allocation.
PendingAccess* prepare_buffer_access(Wave& wave, const Instruction& instruction, int first_operand,
                                     const BufferAccessKind& kind);

// PendingAccess::extra of a buffer access whose active lanes are all whole in the buffer's range.
constexpr std::uint32_t k_all_lanes_whole = 1;

// The allocation of such an access, if EXEC is full and it is one; its bounds are packed addresses. Else empty.
MappedRange range_of_whole_lanes(const Wave& wave, const PendingAccess& access, std::uint32_t bytes, bool writes);

} // namespace hk::sim
