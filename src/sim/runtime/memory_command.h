#pragma once
// Copies and fills: checks of the addresses, and the doing.

#include <cstdint>

#include "sim/memory/process_memory.h"
#include "sim/runtime/command.h"
#include "sim/runtime/error.h"

namespace hk::sim {

class Device;

enum class AddressSide : std::uint8_t {
  device_memory,
  pinned_host,   // hipHostMalloc or hipHostRegister: both sides may use it
  pageable_host, // anything else
};

AddressSide side_of(const ProcessMemory& memory, std::uint64_t address);

// Where the simulator finds [address, address + bytes). Fails with invalid_value, describing the address, unless the
// bytes lie in one live allocation (and are writable, where `write`) or in pageable host memory.
Outcome<std::byte*> resolve(const ProcessMemory& memory, std::uint64_t address, std::uint64_t bytes, bool write);

// Fails as the command would, before it is queued.
Error check_copy(const ProcessMemory& memory, const MemoryCopy& copy);
Error check_fill(const ProcessMemory& memory, const MemoryFill& fill);

// Return the modelled end; addresses that became invalid meanwhile are raised on the device as illegal_address.
double perform_copy(Device& device, const MemoryCopy& copy, double start);
double perform_fill(Device& device, const MemoryFill& fill, double start);
double perform_release(Device& device, const MemoryRelease& release, double start);

} // namespace hk::sim
