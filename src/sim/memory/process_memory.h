#pragma once
// Every address that the simulated devices of this process know: one space per device, pinned and registered host
// memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "sim/memory/address_space.h"
#include "sim/memory/registered_memory.h"

namespace hk::sim {

// A known allocation, and whose it is.
struct Location {
  Allocation allocation;
  int device = -1; // ordinal; -1: host memory
};

class ProcessMemory {
 public:
  // Reserves address space for pinned host memory and for each device, `capacities[i]` bytes of it usable at a time.
  static Result<std::unique_ptr<ProcessMemory>> create(const std::vector<std::uint64_t>& capacities,
                                                       const std::vector<std::string>& names);

  [[nodiscard]] AddressSpace& device(std::size_t ordinal) { return *m_devices[ordinal]; }
  [[nodiscard]] const AddressSpace& device(std::size_t ordinal) const { return *m_devices[ordinal]; }
  [[nodiscard]] std::size_t device_count() const { return m_devices.size(); }
  [[nodiscard]] AddressSpace& pinned() { return *m_pinned; }
  [[nodiscard]] const AddressSpace& pinned() const { return *m_pinned; }
  [[nodiscard]] RegisteredMemory& registered() { return m_registered; }
  [[nodiscard]] const RegisteredMemory& registered() const { return m_registered; }

  // The live range that holds the address, whosoever it is.
  [[nodiscard]] MappedRange find(std::uint64_t address) const;
  [[nodiscard]] std::optional<Location> locate(std::uint64_t address) const;
  // Whether the address lies where only device memory can be. If no allocation is there, it is a wild device pointer.
  [[nodiscard]] std::optional<int> device_of(std::uint64_t address) const;

 private:
  ProcessMemory() = default;

  std::vector<std::unique_ptr<AddressSpace>> m_devices;
  std::unique_ptr<AddressSpace> m_pinned;
  RegisteredMemory m_registered;
};

} // namespace hk::sim
