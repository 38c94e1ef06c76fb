#pragma once
// What is wrong with an address, in words.

#include <cstdint>
#include <string>

#include "sim/memory/process_memory.h"

namespace hk::sim {

// "4 bytes at 0x7f... are 16 bytes past the end of allocation 0x7f... of 4096 bytes (hipMalloc #12)": the nearest live
// allocation, or the freed one that used to be there.
std::string report_address(const ProcessMemory& memory, std::uint64_t address, std::uint64_t bytes);

} // namespace hk::sim
