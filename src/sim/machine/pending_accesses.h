#pragma once
// The memory accesses of one wave between issue and completion.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/machine/instruction.h"

namespace hk::sim {

enum class Counter : std::uint8_t { vector_memory, lds_or_scalar, flat /* both counters */ };

// A memory access between issue and completion. Its registers are marked in flight; `complete` does the access, and the
// marks are cleared behind it. Accesses of one counter complete in issue order, at the latest at the wait that demands
// them; how much earlier is the schedule's choice.
struct PendingAccess {
  const Instruction* instruction = nullptr;
  Counter counter = Counter::vector_memory;
  bool scalar = false; // SMEM returns out of order: only lgkmcnt(0) makes it visible
  std::uint64_t exec = 0;
  std::array<std::uint64_t, k_wave_size> addresses{}; // per lane: global or scratch address, or LDS byte offset
  std::array<std::array<std::uint32_t, 4>, k_wave_size> data{}; // per lane: what a store writes, captured at issue
  std::uint64_t lds_base = 0; // direct-to-LDS loads: wave-uniform LDS byte offset (M0 base + instruction offset)
  std::uint32_t extra = 0;    // free for the operation
  void (*complete)(Wave& wave, const PendingAccess& access) = nullptr;

  // Kept by Wave::issue: the registers marked in flight, and which halves of a FLAT access have been waited for.
  RegisterRange destination{};
  bool done = false; // completed before its wait, by the schedule's choice; its registers stay marked until the wait
  bool waited_vector_memory = false;
  bool waited_lds = false;
};

// An ordered list, oldest first, whose slots are reused: an access is about 1.6 KB, and one is made per memory
// instruction.
class PendingAccesses {
 public:
  [[nodiscard]] bool empty() const { return m_order.empty(); }
  [[nodiscard]] std::size_t size() const { return m_order.size(); }
  PendingAccess& operator[](std::size_t i) { return *m_order[i]; }
  const PendingAccess& operator[](std::size_t i) const { return *m_order[i]; }

  // A free slot: small fields as newly made, `addresses` and `data` with whatever they held. Not in the list yet.
  PendingAccess& prepare();
  // Appends the slot that prepare() gave.
  void append_prepared();
  void erase(std::size_t i);
  void clear();

 private:
  std::vector<std::unique_ptr<PendingAccess>> m_order;
  std::vector<std::unique_ptr<PendingAccess>> m_free;
  std::unique_ptr<PendingAccess> m_prepared;
};

} // namespace hk::sim
