#pragma once
// Host memory that the program owns and that hipHostRegister made reachable for device code.

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>

#include "base/status.h"
#include "sim/machine/memory.h"
#include "sim/memory/allocation.h"

namespace hk::sim {

// Device code uses the host's own addresses. Thread-safe.
class RegisteredMemory {
 public:
  // Fails with invalid_argument if any of the bytes is registered already.
  Status add(std::uint64_t begin, std::uint64_t size, std::uint32_t flags);
  // Fails with invalid_argument if `begin` is not the start of a registered range.
  Status remove(std::uint64_t begin);

  [[nodiscard]] MappedRange find(std::uint64_t address) const;
  [[nodiscard]] std::optional<Allocation> lookup(std::uint64_t address) const;

 private:
  mutable std::shared_mutex m_mutex;
  std::map<std::uint64_t, Allocation> m_ranges;
  // Spares the lock where nothing is registered, which is the usual case.
  std::atomic<std::size_t> m_count{0};
  std::uint64_t m_made = 0;
};

} // namespace hk::sim
