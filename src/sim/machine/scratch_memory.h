#pragma once
// Scratch of one workgroup in flight: device memory that only its waves can reach.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/memory.h"

namespace hk::sim {

// Scratch addresses lie above every address of the process, where no allocation can be.
constexpr std::uint64_t k_scratch_base = 0xc000'0000'0000;

class ScratchMemory final : public MemoryMap {
 public:
  // Everything that is not scratch is looked up in `global`.
  explicit ScratchMemory(const MemoryMap& global) : m_global(global) {}
  // `bytes` of scratch, filled with the 32-bit word.
  void start(std::uint64_t bytes, std::uint32_t word);

  [[nodiscard]] MappedRange find(std::uint64_t address) const override;
  [[nodiscard]] std::string describe(std::uint64_t address, std::uint64_t bytes) const override;

 private:
  const MemoryMap& m_global;
  std::vector<std::uint32_t> m_words;
};

} // namespace hk::sim
