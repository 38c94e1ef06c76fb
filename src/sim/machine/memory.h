#pragma once
// Global memory of a simulated device. Device addresses lie in a reserved, inaccessible range of the process, so a host
// access to them faults as on hardware; the simulator reaches the bytes through a second mapping.

#include <cstddef>
#include <cstdint>
#include <string>

namespace hk::sim {

// A live allocation as the simulator sees it: device addresses [begin, end), byte `begin` lies at `host`.
struct MappedRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::byte* host = nullptr;
  bool read_only = false; // code and constant segments of a loaded object

  [[nodiscard]] bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin && bytes <= end - begin && address - begin <= (end - begin) - bytes;
  }
  [[nodiscard]] std::byte* at(std::uint64_t address) const { return host + (address - begin); }
};

class MemoryMap {
 public:
  virtual ~MemoryMap() = default;
  // The live allocation that contains the address, or an empty range. Thread-safe against allocation and free.
  [[nodiscard]] virtual MappedRange find(std::uint64_t address) const = 0;
  // "16 bytes past the end of allocation 0x... of 4096 bytes (hipMalloc #12)", for reports.
  [[nodiscard]] virtual std::string describe(std::uint64_t address, std::uint64_t bytes) const = 0;
};

} // namespace hk::sim
