#pragma once
// From an address to the allocation that holds it, without a lock: every load and store of a simulated wave asks.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/machine/memory.h"
#include "sim/memory/allocation.h"
#include "sim/memory/reservation.h"

namespace hk::sim {

// The address range is cut into granules of 64 KiB; an allocation owns whole granules, and a table says who owns each.
// One writer at a time (the caller's lock), any number of readers at any time.
class GranuleIndex {
 public:
  using Owner = std::atomic<std::uint32_t>;
  static constexpr unsigned k_granule_shift = 16;
  static constexpr std::uint64_t k_granule = std::uint64_t{1} << k_granule_shift;

  // Bytes of the table for an address range of `size` bytes.
  static std::uint64_t table_bytes(std::uint64_t size) { return (size >> k_granule_shift) * sizeof(Owner); }
  // `size` is a multiple of the granule; `table` is open and zero, and has table_bytes(size) bytes.
  GranuleIndex(std::uint64_t begin, std::uint64_t size, Reservation table);
  ~GranuleIndex();
  GranuleIndex(const GranuleIndex&) = delete;
  GranuleIndex& operator=(const GranuleIndex&) = delete;

  using SlotNumber = std::uint32_t;

  // Makes the allocation findable. It lies in the granules [first, first + count); parts is empty, or lists the usable
  // ranges inside it in ascending order.
  SlotNumber publish(const Allocation& allocation, std::uint64_t first, std::uint64_t count,
                     std::vector<AllocationPart> parts);
  // From now on find() gives nothing there, but slot_of() still names the allocation.
  void retire(SlotNumber slot);
  // The slot may be used for another allocation.
  void forget(SlotNumber slot, std::uint64_t first, std::uint64_t count);

  [[nodiscard]] MappedRange find(std::uint64_t address) const noexcept;
  // The slot of the live or retired allocation whose granule holds the address. Under the caller's lock.
  [[nodiscard]] std::optional<SlotNumber> slot_of(std::uint64_t address) const noexcept;
  // The part of a live allocation that holds the address. Under the caller's lock.
  [[nodiscard]] std::optional<AllocationPart> part_of(std::uint64_t address) const noexcept;

 private:
  using Parts = std::vector<AllocationPart>;

  // Fields may be read while they are replaced: `version` is odd meanwhile, and a reader who saw it change reads again.
  struct Slot {
    std::atomic<std::uint32_t> version{0};
    std::atomic<bool> live{false};
    std::atomic<bool> read_only{false};
    std::atomic<std::uint64_t> begin{0};
    std::atomic<std::uint64_t> end{0};
    std::atomic<std::byte*> host{nullptr};
    std::atomic<const Parts*> parts{nullptr};
  };
  static constexpr std::uint32_t k_chunk_slots = 4096;
  static constexpr std::uint32_t k_chunks = 4096;

  Slot& new_slot(SlotNumber& number);
  [[nodiscard]] Slot& slot(SlotNumber number) const noexcept {
    return m_chunks[number / k_chunk_slots].load(std::memory_order_acquire)[number % k_chunk_slots];
  }

  std::uint64_t m_begin;
  std::uint64_t m_size;
  Reservation m_table;
  Owner* m_owners; // slot number + 1 per granule, 0 for nobody; zero pages until written
  std::array<std::atomic<Slot*>, k_chunks> m_chunks{};
  std::uint32_t m_slots_made = 0;
  std::vector<SlotNumber> m_unused;
  // Kept to the end, because a reader may still look at the list of a slot that changed hands.
  std::vector<std::unique_ptr<const Parts>> m_part_lists;
};

} // namespace hk::sim
