#include "sim/memory/granule_index.h"

#include <utility>

namespace hk::sim {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(std::atomic<std::uint32_t>) == 4,
              "zero pages must be valid entries");

GranuleIndex::GranuleIndex(std::uint64_t begin, std::uint64_t size, Reservation table)
    : m_begin(begin), m_size(size), m_table(std::move(table)),
      m_owners(reinterpret_cast<Owner*>(m_table.host(m_table.begin()))) {}

GranuleIndex::~GranuleIndex() {
  for (std::atomic<Slot*>& chunk : m_chunks)
    delete[] chunk.load(std::memory_order_relaxed);
}

GranuleIndex::Slot& GranuleIndex::new_slot(SlotNumber& number) {
  if (!m_unused.empty()) {
    number = m_unused.back();
    m_unused.pop_back();
    return slot(number);
  }
  number = m_slots_made;
  std::atomic<Slot*>& chunk = m_chunks.at(number / k_chunk_slots);
  if (chunk.load(std::memory_order_relaxed) == nullptr)
    chunk.store(new Slot[k_chunk_slots], std::memory_order_release);
  ++m_slots_made;
  return slot(number);
}

GranuleIndex::SlotNumber GranuleIndex::publish(const Allocation& allocation, std::uint64_t first, std::uint64_t count,
                                               std::vector<AllocationPart> parts) {
  const Parts* part_list = nullptr;
  if (!parts.empty()) {
    m_part_lists.push_back(std::make_unique<const Parts>(std::move(parts)));
    part_list = m_part_lists.back().get();
  }
  SlotNumber number = 0;
  Slot& slot = new_slot(number);
  slot.version.fetch_add(1, std::memory_order_acq_rel);
  slot.begin.store(allocation.begin, std::memory_order_release);
  slot.end.store(allocation.end(), std::memory_order_release);
  slot.host.store(allocation.host, std::memory_order_release);
  slot.read_only.store(allocation.read_only, std::memory_order_release);
  slot.parts.store(part_list, std::memory_order_release);
  slot.live.store(true, std::memory_order_release);
  slot.version.fetch_add(1, std::memory_order_acq_rel);
  for (std::uint64_t granule = first; granule < first + count; ++granule)
    m_owners[granule].store(number + 1, std::memory_order_release);
  return number;
}

void GranuleIndex::retire(SlotNumber number) {
  slot(number).live.store(false, std::memory_order_release);
}

void GranuleIndex::forget(SlotNumber number, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t granule = first; granule < first + count; ++granule) {
    std::uint32_t expected = number + 1;
    // A later allocation may own the granule by now.
    m_owners[granule].compare_exchange_strong(expected, 0, std::memory_order_acq_rel);
  }
  m_unused.push_back(number);
}

MappedRange GranuleIndex::find(std::uint64_t address) const noexcept {
  const std::uint64_t offset = address - m_begin;
  if (offset >= m_size)
    return {};
  const std::uint32_t owner = m_owners[offset >> k_granule_shift].load(std::memory_order_acquire);
  if (owner == 0)
    return {};
  const Slot& found = slot(owner - 1);
  MappedRange range;
  const Parts* parts = nullptr;
  bool live = false;
  std::uint32_t version = 0;
  do {
    version = found.version.load(std::memory_order_acquire);
    range.begin = found.begin.load(std::memory_order_acquire);
    range.end = found.end.load(std::memory_order_acquire);
    range.host = found.host.load(std::memory_order_acquire);
    range.read_only = found.read_only.load(std::memory_order_acquire);
    parts = found.parts.load(std::memory_order_acquire);
    live = found.live.load(std::memory_order_acquire);
  } while ((version & 1) != 0 || found.version.load(std::memory_order_relaxed) != version);
  if (!live || address < range.begin || address >= range.end)
    return {};
  if (parts == nullptr)
    return range;
  for (const AllocationPart& part : *parts)
    if (address >= part.begin && address < part.end)
      return {part.begin, part.end, range.host + (part.begin - range.begin), part.read_only};
  return {};
}

std::optional<GranuleIndex::SlotNumber> GranuleIndex::slot_of(std::uint64_t address) const noexcept {
  const std::uint64_t offset = address - m_begin;
  if (offset >= m_size)
    return std::nullopt;
  const std::uint32_t owner = m_owners[offset >> k_granule_shift].load(std::memory_order_acquire);
  if (owner == 0)
    return std::nullopt;
  return owner - 1;
}

std::optional<AllocationPart> GranuleIndex::part_of(std::uint64_t address) const noexcept {
  const std::optional<SlotNumber> number = slot_of(address);
  if (!number)
    return std::nullopt;
  const Slot& found = slot(*number);
  const Parts* parts = found.parts.load(std::memory_order_acquire);
  if (!found.live.load(std::memory_order_acquire) || parts == nullptr)
    return std::nullopt;
  for (const AllocationPart& part : *parts)
    if (address >= part.begin && address < part.end)
      return part;
  return std::nullopt;
}

} // namespace hk::sim
