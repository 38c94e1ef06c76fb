#include "sim/memory/registered_memory.h"

#include <iterator>
#include <mutex>

namespace hk::sim {

Status RegisteredMemory::add(std::uint64_t begin, std::uint64_t size, std::uint32_t flags) {
  const std::unique_lock lock(m_mutex);
  const auto next = m_ranges.lower_bound(begin);
  const Allocation* overlapped = nullptr;
  if (next != m_ranges.end() && next->first < begin + size)
    overlapped = &next->second;
  else if (next != m_ranges.begin() && std::prev(next)->second.end() > begin)
    overlapped = &std::prev(next)->second;
  if (overlapped != nullptr)
    return Status(StatusCode::invalid_argument, address_text(begin) + ".." + address_text(begin + size) + " overlaps " +
                                                    overlapped->description() + "; unregister that first");
  Allocation range;
  range.begin = begin;
  range.size = size;
  range.kind = AllocationKind::registered_host;
  range.ordinal = ++m_made;
  range.flags = flags;
  range.host = reinterpret_cast<std::byte*>(begin);
  m_ranges.emplace(begin, range);
  m_count.store(m_ranges.size(), std::memory_order_release);
  return {};
}

Status RegisteredMemory::remove(std::uint64_t begin) {
  const std::unique_lock lock(m_mutex);
  if (m_ranges.erase(begin) == 0)
    return Status(StatusCode::invalid_argument,
                  address_text(begin) + " is not the start of registered host memory; pass what was registered");
  m_count.store(m_ranges.size(), std::memory_order_release);
  return {};
}

std::optional<Allocation> RegisteredMemory::lookup(std::uint64_t address) const {
  if (m_count.load(std::memory_order_acquire) == 0)
    return std::nullopt;
  const std::shared_lock lock(m_mutex);
  const auto next = m_ranges.upper_bound(address);
  if (next == m_ranges.begin() || std::prev(next)->second.end() <= address)
    return std::nullopt;
  return std::prev(next)->second;
}

MappedRange RegisteredMemory::find(std::uint64_t address) const {
  const std::optional<Allocation> range = lookup(address);
  if (!range)
    return {};
  return {range->begin, range->end(), range->host, false};
}

} // namespace hk::sim
