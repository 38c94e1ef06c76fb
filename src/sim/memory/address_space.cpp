#include "sim/memory/address_space.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hk::sim {
namespace {

constexpr std::uint64_t k_page = 4096;
constexpr std::uint64_t k_device_alignment = 256;
// How many freed allocations a report can still name.
constexpr std::size_t k_remembered = 4096;

// Offset of an allocation in its first granule. For device memory it changes from one to the next and is never a
// multiple of 4096: hardware promises 256 bytes, so that is all that the simulator gives.
std::uint64_t start_offset(HostAccess access, std::uint64_t ordinal) {
  return access == HostAccess::direct ? 0 : k_device_alignment * (1 + ordinal * 7 % 15);
}

} // namespace

Result<std::unique_ptr<AddressSpace>> AddressSpace::create(std::uint64_t bytes, HostAccess access,
                                                           std::uint64_t capacity, std::string name) {
  HK_ASSIGN_OR_RETURN(Reservation reservation, Reservation::create(bytes, access));
  const std::uint64_t table_bytes = std::max(GranuleIndex::table_bytes(reservation.size()), k_smallest_reservation);
  HK_ASSIGN_OR_RETURN(Reservation table, Reservation::create(table_bytes, HostAccess::direct));
  if (table.size() < table_bytes)
    return fail(StatusCode::out_of_memory, "the host grants too little address space for " + name);
  HK_RETURN_IF_ERROR(table.open(table.begin(), table_bytes));
  return std::unique_ptr<AddressSpace>(
      new AddressSpace(std::move(reservation), std::move(table), capacity, std::move(name)));
}

AddressSpace::AddressSpace(Reservation reservation, Reservation table, std::uint64_t capacity, std::string name)
    : m_reservation(std::move(reservation)), m_capacity(capacity), m_name(std::move(name)),
      m_index(m_reservation.begin(), m_reservation.size(), std::move(table)) {}

Result<Allocation> AddressSpace::allocate(AllocationRequest request) {
  const std::lock_guard lock(m_mutex);
  if (request.size > m_capacity || m_in_use > m_capacity - request.size)
    return fail(StatusCode::out_of_memory, m_name + " has " + bytes_text(m_capacity - m_in_use) + " free of " +
                                               std::to_string(m_capacity) + ", too few for " +
                                               bytes_text(request.size) + "; free some first");
  const std::uint64_t ordinal = m_made + 1;
  const std::uint64_t offset = start_offset(m_reservation.access(), ordinal);
  const std::uint64_t count = (offset + request.size + GranuleIndex::k_granule - 1) >> GranuleIndex::k_granule_shift;
  const std::optional<std::uint64_t> first = find_gap(count + 1);
  if (!first)
    return fail(StatusCode::out_of_memory, m_name + " has no gap of " + bytes_text(request.size) + " left in the " +
                                               std::to_string(m_reservation.size()) +
                                               " bytes of address space that the host granted; free some first");
  const std::uint64_t granule_begin = m_reservation.begin() + (*first << GranuleIndex::k_granule_shift);
  HK_RETURN_IF_ERROR(m_reservation.open(granule_begin, (offset + request.size + k_page - 1) / k_page * k_page));

  Block block;
  block.allocation.begin = granule_begin + offset;
  block.allocation.size = request.size;
  block.allocation.kind = request.kind;
  block.allocation.ordinal = ordinal;
  block.allocation.flags = request.flags;
  block.allocation.read_only = request.read_only;
  block.allocation.host = m_reservation.host(block.allocation.begin);
  for (AllocationPart& part : request.parts) {
    part.begin += block.allocation.begin;
    part.end += block.allocation.begin;
  }
  block.first = *first;
  block.count = count;
  block.slot = m_index.publish(block.allocation, block.first, block.count, std::move(request.parts));
  m_made = ordinal;
  m_in_use += request.size;
  m_cursor = block.first + block.count + 1;
  Allocation result = block.allocation;
  m_live.emplace(block.first, block);
  return result;
}

// First fit from the cursor on, then from the start: what was freed last is used last.
std::optional<std::uint64_t> AddressSpace::find_gap(std::uint64_t granules) {
  const std::uint64_t total = m_reservation.size() >> GranuleIndex::k_granule_shift;
  for (const std::uint64_t start : {m_cursor, std::uint64_t{0}}) {
    std::uint64_t candidate = start;
    for (auto next = m_live.lower_bound(start); next != m_live.end(); ++next) {
      if (next->first >= candidate + granules)
        break;
      candidate = next->first + next->second.count + 1;
    }
    if (candidate + granules <= total)
      return candidate;
  }
  return std::nullopt;
}

Status AddressSpace::free(std::uint64_t begin) {
  const std::lock_guard lock(m_mutex);
  const std::uint64_t granule = (begin - m_reservation.begin()) >> GranuleIndex::k_granule_shift;
  const auto found = m_reservation.contains(begin) ? m_live.find(granule) : m_live.end();
  if (found == m_live.end() || found->second.allocation.begin != begin) {
    const std::optional<GranuleIndex::SlotNumber> slot = m_index.slot_of(begin);
    const auto freed = slot ? m_freed.find(*slot) : m_freed.end();
    if (freed != m_freed.end() && freed->second.allocation.begin == begin)
      return Status(StatusCode::invalid_argument,
                    freed->second.allocation.description() + " of " + m_name + " was freed before; free it once");
    return Status(StatusCode::invalid_argument, address_text(begin) + " is not the start of a live allocation of " +
                                                    m_name + "; pass the pointer that the allocation returned");
  }
  release(found);
  return {};
}

void AddressSpace::free_all(AllocationKind kind) {
  const std::lock_guard lock(m_mutex);
  for (auto position = m_live.begin(); position != m_live.end();) {
    const auto next = std::next(position);
    if (position->second.allocation.kind == kind)
      release(position);
    position = next;
  }
}

void AddressSpace::release(BlockMap::iterator position) {
  Block block = position->second;
  m_live.erase(position);
  m_index.retire(block.slot);
  const std::uint64_t granule_begin = m_reservation.begin() + (block.first << GranuleIndex::k_granule_shift);
  const std::uint64_t end = block.allocation.end();
  m_reservation.close(granule_begin, (end - granule_begin + k_page - 1) / k_page * k_page);
  m_in_use -= block.allocation.size;
  remember_freed(block);
}

void AddressSpace::remember_freed(Block block) {
  const GranuleIndex::SlotNumber slot = block.slot;
  m_freed.insert_or_assign(slot, block);
  m_freed_order.push_back(slot);
  if (m_freed_order.size() <= k_remembered)
    return;
  const auto oldest = m_freed.find(m_freed_order.front());
  m_freed_order.pop_front();
  m_index.forget(oldest->second.slot, oldest->second.first, oldest->second.count);
  m_freed.erase(oldest);
}

std::optional<Allocation> AddressSpace::lookup(std::uint64_t address) const {
  return neighbourhood(address).containing;
}

Neighbourhood AddressSpace::neighbourhood(std::uint64_t address) const {
  const std::lock_guard lock(m_mutex);
  Neighbourhood result;
  if (!m_reservation.contains(address))
    return result;
  const std::uint64_t granule = (address - m_reservation.begin()) >> GranuleIndex::k_granule_shift;
  auto next = m_live.upper_bound(granule);
  if (next != m_live.begin()) {
    const Allocation& candidate = std::prev(next)->second.allocation;
    if (address >= candidate.begin && address < candidate.end())
      result.containing = candidate;
    else if (address >= candidate.end())
      result.before = candidate;
    else { // in front of the allocation, in its own first granule
      --next;
      if (next != m_live.begin())
        result.before = std::prev(next)->second.allocation;
    }
  }
  if (next != m_live.end())
    result.after = next->second.allocation;
  if (!result.containing) {
    const std::optional<GranuleIndex::SlotNumber> slot = m_index.slot_of(address);
    const auto freed = slot ? m_freed.find(*slot) : m_freed.end();
    if (freed != m_freed.end() && address >= freed->second.allocation.begin && address < freed->second.allocation.end())
      result.freed = freed->second.allocation;
  }
  return result;
}

std::optional<AllocationPart> AddressSpace::part_of(std::uint64_t address) const {
  const std::lock_guard lock(m_mutex);
  return m_index.part_of(address);
}

std::uint64_t AddressSpace::bytes_in_use() const {
  const std::lock_guard lock(m_mutex);
  return m_in_use;
}

} // namespace hk::sim
