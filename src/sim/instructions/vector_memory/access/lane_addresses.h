#pragma once
// Per-lane addresses of GLOBAL, SCRATCH and FLAT instructions ("CDNA4 ISA", chapter "Flat Memory Instructions"). Each
// function prepares an access with its addresses filled in; null after a fault.

#include "sim/machine/wave.h"

namespace hk::sim {

// 64-bit vector address + offset, or 64-bit scalar base + 32-bit unsigned vector offset + offset.
PendingAccess* prepare_global_access(Wave& wave, const Instruction& instruction, const Operand& vector_address,
                                     const Operand& scalar_address);

// Private byte offset = vector offset (or 0) + scalar offset (or 0) + offset, modulo 2^32; checked against the lane's
// scratch and turned into a device address. A wave's scratch lies lane by lane: lane l's bytes start at
// scratch_base + l * scratch_bytes_per_lane (hardware interleaves dwords of the lanes; no instruction can tell).
PendingAccess* prepare_scratch_access(Wave& wave, const Instruction& instruction, const Operand& vector_address,
                                      const Operand& scalar_address, std::uint32_t bytes);

// 64-bit generic address + offset. Addresses in the private aperture become device addresses, those in the shared
// aperture stay as they are.
PendingAccess* prepare_flat_access(Wave& wave, const Instruction& instruction, const Operand& vector_address,
                                   std::uint32_t bytes);

} // namespace hk::sim
