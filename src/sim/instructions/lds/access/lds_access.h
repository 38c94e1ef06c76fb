#pragma once
// What every DS instruction starts with. An access is issued with its addresses, EXEC and data captured; LDS is read
// and written when it completes, at the latest at the lgkmcnt wait.

#include <cstdint>

#include "sim/instructions/lds/access/lanes.h"
#include "sim/machine/operation.h"
#include "sim/machine/wave.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

// Prepares an access of `bytes` bytes at address + offset (modulo 2^32) of every active lane. Null after a fault: an
// active lane outside the workgroup's LDS (hardware would read 0 and drop the write), or the gds modifier.
PendingAccess* prepare_lds_access(Wave& wave, const Instruction& instruction, const Operand& address,
                                  std::uint32_t offset, std::uint32_t bytes);

// Raises lds_out_of_bounds and returns false unless [address + displacement, + bytes) of every active lane is LDS.
bool check_lds_range(Wave& wave, const PendingAccess& access, std::uint32_t displacement, std::uint32_t bytes);

// Raises misaligned and returns false unless every active address is a multiple of `alignment`.
bool check_lds_alignment(Wave& wave, const PendingAccess& access, std::uint32_t alignment);

// Captures `count` registers of an operand as dwords first, first + 1, ... of every active lane's data.
void capture_data(const Wave& wave, PendingAccess& access, const Operand& operand, int first, int count);

inline std::byte* lds_at(Wave& wave, std::uint64_t address) {
  return wave.workgroup->lds.data() + address;
}

// LDS moves 128 bytes per clock on gfx942 (32 banks of 4 bytes): what 64 lanes of this width take without conflicts.
constexpr std::uint16_t lds_clocks(unsigned bytes_per_lane) {
  const unsigned clocks = bytes_per_lane * k_wave_size / 128;
  return std::uint16_t(clocks < 4 ? 4 : clocks);
}

void add_lds_operation(OperationTable& table, std::string mnemonic, Execute execute, std::uint8_t destinations,
                       unsigned bytes_per_lane);

} // namespace hk::sim
