#include "sim/memory/process_memory.h"

#include <algorithm>
#include <bit>
#include <string>

#include "sim/memory/host_budget.h"

namespace hk::sim {
namespace {

// Twice the memory, so that freed addresses stay unused for a while and gaps cost nothing that matters.
std::uint64_t reservation_size(std::uint64_t capacity) {
  return std::max(std::bit_ceil(capacity) * 2, std::uint64_t{1} << 30);
}

} // namespace

Result<std::unique_ptr<ProcessMemory>> ProcessMemory::create(const std::vector<std::uint64_t>& capacities,
                                                             const std::vector<std::string>& names) {
  std::unique_ptr<ProcessMemory> memory(new ProcessMemory());
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    HK_ASSIGN_OR_RETURN(
        std::unique_ptr<AddressSpace> space,
        AddressSpace::create(reservation_size(capacities[i]), HostAccess::none, capacities[i], names[i]));
    memory->m_devices.push_back(std::move(space));
  }
  const std::uint64_t host_bytes = total_host_memory();
  HK_ASSIGN_OR_RETURN(memory->m_pinned, AddressSpace::create(reservation_size(host_bytes), HostAccess::direct,
                                                             host_bytes, "pinned host memory"));
  return memory;
}

MappedRange ProcessMemory::find(std::uint64_t address) const {
  for (const std::unique_ptr<AddressSpace>& space : m_devices)
    if (space->reserves(address))
      return space->find(address);
  if (m_pinned->reserves(address))
    return m_pinned->find(address);
  return m_registered.find(address);
}

std::optional<Location> ProcessMemory::locate(std::uint64_t address) const {
  std::optional<Allocation> found;
  const std::optional<int> device = device_of(address);
  if (device)
    found = m_devices[static_cast<std::size_t>(*device)]->lookup(address);
  else if (m_pinned->reserves(address))
    found = m_pinned->lookup(address);
  else
    found = m_registered.lookup(address);
  if (!found)
    return std::nullopt;
  return Location{*found, device.value_or(-1)};
}

std::optional<int> ProcessMemory::device_of(std::uint64_t address) const {
  for (std::size_t i = 0; i < m_devices.size(); ++i)
    if (m_devices[i]->reserves(address))
      return static_cast<int>(i);
  return std::nullopt;
}

} // namespace hk::sim
