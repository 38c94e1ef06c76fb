#include "sim/runtime/memory_command.h"

#include <cstring>
#include <string>

#include "sim/memory/address_report.h"
#include "sim/memory/host_budget.h"
#include "sim/runtime/device.h"

namespace hk::sim {
namespace {

// Nanoseconds for `bytes` at `gigabytes` (10^9) per second.
double transfer_time(std::uint64_t bytes, std::uint64_t gigabytes) {
  return static_cast<double>(bytes) / static_cast<double>(gigabytes);
}

bool on_device(const ProcessMemory& memory, std::uint64_t address) {
  return side_of(memory, address) == AddressSide::device_memory;
}

std::uint64_t fill_bytes(const MemoryFill& fill) {
  return fill.elements * fill.element_bytes;
}

// Constants of a module are read-only for kernels only: __constant__ variables are the host's to set.
bool host_may_write(const ProcessMemory& memory, std::uint64_t address) {
  const std::optional<int> owner = memory.device_of(address);
  if (!owner)
    return false;
  const std::optional<AllocationPart> part = memory.device(static_cast<std::size_t>(*owner)).part_of(address);
  return part && !part->executable;
}

// Zero pages need no memory of the host; anything else does.
bool is_zero_fill(const MemoryFill& fill) {
  const std::uint32_t mask = fill.element_bytes == 4 ? 0xffffffffU : (1U << (8 * fill.element_bytes)) - 1;
  return (fill.value & mask) == 0;
}

void write_pattern(std::byte* to, const MemoryFill& fill) {
  if (fill.element_bytes == 1) {
    std::memset(to, static_cast<int>(fill.value & 0xff), fill.elements);
    return;
  }
  for (std::uint64_t i = 0; i < fill.elements; ++i)
    std::memcpy(to + i * fill.element_bytes, &fill.value, fill.element_bytes); // little-endian: the low bytes
}

} // namespace

AddressSide side_of(const ProcessMemory& memory, std::uint64_t address) {
  if (memory.device_of(address))
    return AddressSide::device_memory;
  if (memory.pinned().reserves(address) || memory.registered().lookup(address))
    return AddressSide::pinned_host;
  return AddressSide::pageable_host;
}

Outcome<std::byte*> resolve(const ProcessMemory& memory, std::uint64_t address, std::uint64_t bytes, bool write) {
  if (side_of(memory, address) == AddressSide::pageable_host) {
    if (address == 0)
      return error(ErrorCode::invalid_value, "null pointer; pass the address of " + bytes_text(bytes));
    return reinterpret_cast<std::byte*>(address);
  }
  const MappedRange range = memory.find(address);
  if (!range.contains(address, bytes) || (write && range.read_only && !host_may_write(memory, address)))
    return error(ErrorCode::invalid_value, report_address(memory, address, bytes));
  return range.at(address);
}

Error check_copy(const ProcessMemory& memory, const MemoryCopy& copy) {
  const Outcome<std::byte*> source = resolve(memory, copy.source, copy.bytes, /*write=*/false);
  if (!source)
    return Error(source.error().code, "source of the copy: " + source.error().message);
  const Outcome<std::byte*> destination = resolve(memory, copy.destination, copy.bytes, /*write=*/true);
  if (!destination)
    return Error(destination.error().code, "destination of the copy: " + destination.error().message);
  if (on_device(memory, copy.destination))
    return error_from(check_host_can_hold(copy.bytes), ErrorCode::out_of_memory);
  return {};
}

Error check_fill(const ProcessMemory& memory, const MemoryFill& fill) {
  const Outcome<std::byte*> destination = resolve(memory, fill.destination, fill_bytes(fill), /*write=*/true);
  if (!destination)
    return Error(destination.error().code, "destination of the fill: " + destination.error().message);
  if (!is_zero_fill(fill) && on_device(memory, fill.destination))
    return error_from(check_host_can_hold(fill_bytes(fill)), ErrorCode::out_of_memory);
  return {};
}

double perform_copy(Device& device, const MemoryCopy& copy, double start) {
  const ProcessMemory& memory = device.process_memory();
  const Outcome<std::byte*> source = resolve(memory, copy.source, copy.bytes, /*write=*/false);
  const Outcome<std::byte*> destination = resolve(memory, copy.destination, copy.bytes, /*write=*/true);
  if (!source || !destination) {
    device.raise(ErrorCode::illegal_address, "a queued copy of " + bytes_text(copy.bytes) + " found its " +
                                                 (source ? "destination" : "source") +
                                                 " gone: " + (source ? destination.error() : source.error()).message);
    return start;
  }
  std::memmove(*destination, *source, copy.bytes);
  const Profile& profile = device.profile();
  const bool from_device = on_device(memory, copy.source);
  const bool to_device = on_device(memory, copy.destination);
  if (from_device == to_device) // each byte is read and written
    return device.clock().occupy(Engine::compute, start,
                                 2 * transfer_time(copy.bytes, profile.memory_achieved_gb_per_second));
  return device.clock().occupy(to_device ? Engine::copy_to_device : Engine::copy_to_host, start,
                               transfer_time(copy.bytes, profile.host_link_gb_per_second));
}

double perform_fill(Device& device, const MemoryFill& fill, double start) {
  ProcessMemory& memory = device.process_memory();
  const std::uint64_t bytes = fill_bytes(fill);
  const Outcome<std::byte*> destination = resolve(memory, fill.destination, bytes, /*write=*/true);
  if (!destination) {
    device.raise(ErrorCode::illegal_address, "a queued fill of " + bytes_text(bytes) +
                                                 " found its destination gone: " + destination.error().message);
    return start;
  }
  const std::optional<int> owner = memory.device_of(fill.destination);
  if (owner && is_zero_fill(fill))
    memory.device(static_cast<std::size_t>(*owner)).zero(fill.destination, bytes);
  else
    write_pattern(*destination, fill);
  return device.clock().occupy(Engine::compute, start,
                               transfer_time(bytes, device.profile().memory_achieved_gb_per_second));
}

double perform_release(Device& device, const MemoryRelease& release, double start) {
  Status status = device.memory().free(release.address);
  if (!status.ok())
    device.raise(ErrorCode::illegal_address, "a queued hipFreeAsync failed: " + status.message);
  return start;
}

} // namespace hk::sim
