#include "sim/memory/device_memory.h"

#include <optional>

#include "sim/memory/address_report.h"

namespace hk::sim {

DeviceMemory::DeviceMemory(const ProcessMemory& memory, std::size_t ordinal) : m_memory(memory), m_ordinal(ordinal) {}

MappedRange DeviceMemory::find(std::uint64_t address) const {
  const AddressSpace& own = m_memory.device(m_ordinal);
  if (own.reserves(address))
    return own.find(address);
  if (m_memory.pinned().reserves(address))
    return m_memory.pinned().find(address);
  const std::optional<int> peer = m_memory.device_of(address);
  if (!peer)
    return m_memory.registered().find(address);
  const std::size_t ordinal = static_cast<std::size_t>(*peer);
  return m_peer[ordinal].load(std::memory_order_acquire) ? m_memory.device(ordinal).find(address) : MappedRange{};
}

std::string DeviceMemory::describe(std::uint64_t address, std::uint64_t bytes) const {
  const std::optional<int> owner = m_memory.device_of(address);
  if (owner && static_cast<std::size_t>(*owner) != m_ordinal &&
      !m_peer[static_cast<std::size_t>(*owner)].load(std::memory_order_acquire))
    return bytes_text(bytes) + " at " + address_text(address) + " are memory of " +
           m_memory.device(static_cast<std::size_t>(*owner)).name() + ", for which " +
           m_memory.device(m_ordinal).name() + " has no peer access";
  return report_address(m_memory, address, bytes);
}

bool DeviceMemory::enable_peer(std::size_t ordinal) {
  return !m_peer[ordinal].exchange(true, std::memory_order_acq_rel);
}

bool DeviceMemory::disable_peer(std::size_t ordinal) {
  return m_peer[ordinal].exchange(false, std::memory_order_acq_rel);
}

} // namespace hk::sim
