#include "sim/machine/scratch_memory.h"

namespace hk::sim {

void ScratchMemory::start(std::uint64_t bytes, std::uint32_t word) {
  m_words.assign((bytes + 3) / 4, word);
}

MappedRange ScratchMemory::find(std::uint64_t address) const {
  const std::uint64_t size = m_words.size() * sizeof(std::uint32_t);
  if (address < k_scratch_base || address - k_scratch_base >= size)
    return m_global.find(address);
  auto* const host = const_cast<std::uint32_t*>(m_words.data()); // waves write through the map, as with global memory
  return {k_scratch_base, k_scratch_base + size, reinterpret_cast<std::byte*>(host), false};
}

std::string ScratchMemory::describe(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t size = m_words.size() * sizeof(std::uint32_t);
  if (address < k_scratch_base || address - k_scratch_base >= k_scratch_base)
    return m_global.describe(address, bytes);
  return std::to_string(bytes) + " bytes at offset " + std::to_string(address - k_scratch_base) +
         " of the workgroup's scratch, which has " + std::to_string(size);
}

} // namespace hk::sim
