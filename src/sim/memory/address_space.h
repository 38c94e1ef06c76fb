#pragma once
// The memory of one simulated device, or the pinned host memory of the process: allocation, lookup, history.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "sim/machine/memory.h"
#include "sim/memory/allocation.h"
#include "sim/memory/granule_index.h"
#include "sim/memory/reservation.h"

namespace hk::sim {

struct AllocationRequest {
  std::uint64_t size = 0; // bytes, at least 1
  AllocationKind kind = AllocationKind::device;
  std::uint32_t flags = 0;
  bool read_only = false;
  // Offsets from the start of the allocation; empty = all of it is one range.
  std::vector<AllocationPart> parts;
};

// What lies around an address, for reports.
struct Neighbourhood {
  std::optional<Allocation> containing; // live
  std::optional<Allocation> freed;      // the one that used to contain it, if that is remembered
  std::optional<Allocation> before;     // nearest live allocation that ends at or below the address
  std::optional<Allocation> after;      // nearest live allocation that begins above it
};

// Between two allocations at least 64 KiB belong to nobody, so that running past an end is found. Starts are multiples
// of 256 and, for device memory, of no larger power of two than 2048, so that code which counts on more is found as
// well. Freed addresses come back only after the rest of the reservation has been used. Thread-safe.
class AddressSpace {
 public:
  // `bytes` of address space, or fewer if the host does not grant them; `capacity` of them may be allocated at a time.
  // `name`: whose memory this is, for messages. Fails with out_of_memory.
  static Result<std::unique_ptr<AddressSpace>> create(std::uint64_t bytes, HostAccess access, std::uint64_t capacity,
                                                      std::string name);

  // Zero-filled. Fails with out_of_memory, saying whether the capacity, the address space or the host is exhausted.
  Result<Allocation> allocate(AllocationRequest request);
  // `begin` is the start of a live allocation of one of the kinds that callers free by address. Fails with
  // invalid_argument, naming what is there instead.
  Status free(std::uint64_t begin);
  void free_all(AllocationKind kind);

  [[nodiscard]] MappedRange find(std::uint64_t address) const noexcept { return m_index.find(address); }
  [[nodiscard]] bool reserves(std::uint64_t address) const noexcept { return m_reservation.contains(address); }
  // The live allocation that contains the address.
  [[nodiscard]] std::optional<Allocation> lookup(std::uint64_t address) const;
  [[nodiscard]] Neighbourhood neighbourhood(std::uint64_t address) const;
  // The part of a live allocation with parts that holds the address.
  [[nodiscard]] std::optional<AllocationPart> part_of(std::uint64_t address) const;

  // Zero-fills a range of a live allocation, giving whole pages back to the host.
  void zero(std::uint64_t begin, std::uint64_t size) const { m_reservation.zero(begin, size); }

  [[nodiscard]] std::uint64_t capacity() const { return m_capacity; }
  [[nodiscard]] std::uint64_t bytes_in_use() const;
  [[nodiscard]] const std::string& name() const { return m_name; }

 private:
  struct Block {
    Allocation allocation;
    std::uint64_t first = 0; // granule
    std::uint64_t count = 0; // granules that the bytes touch, without the gap behind them
    GranuleIndex::SlotNumber slot = 0;
  };

  using BlockMap = std::map<std::uint64_t, Block>; // by first granule

  AddressSpace(Reservation reservation, Reservation table, std::uint64_t capacity, std::string name);
  std::optional<std::uint64_t> find_gap(std::uint64_t granules);
  void release(BlockMap::iterator position);
  void remember_freed(Block block);

  Reservation m_reservation;
  std::uint64_t m_capacity;
  std::string m_name;
  GranuleIndex m_index;

  mutable std::mutex m_mutex;
  BlockMap m_live;
  std::deque<GranuleIndex::SlotNumber> m_freed_order;
  std::unordered_map<GranuleIndex::SlotNumber, Block> m_freed;
  std::uint64_t m_cursor = 0; // granule where the search for a gap goes on
  std::uint64_t m_in_use = 0;
  std::uint64_t m_made = 0;
};

} // namespace hk::sim
