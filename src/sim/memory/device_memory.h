#pragma once
// Global memory as the waves of one device see it.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/machine/memory.h"
#include "sim/memory/process_memory.h"

namespace hk::sim {

inline constexpr std::size_t k_device_limit = 16;

// The device's own memory, pinned and registered host memory, and the memory of those peers that access was enabled
// for.
class DeviceMemory final : public MemoryMap {
 public:
  DeviceMemory(const ProcessMemory& memory, std::size_t ordinal);

  [[nodiscard]] MappedRange find(std::uint64_t address) const override;
  [[nodiscard]] std::string describe(std::uint64_t address, std::uint64_t bytes) const override;

  // False if access is already as asked for.
  bool enable_peer(std::size_t ordinal);
  bool disable_peer(std::size_t ordinal);

 private:
  const ProcessMemory& m_memory;
  std::size_t m_ordinal;
  std::array<std::atomic<bool>, k_device_limit> m_peer{};
};

} // namespace hk::sim
