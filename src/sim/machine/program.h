#pragma once
// The decoded instructions of one loaded code object, and where its kernels start.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/instruction.h"
#include "sim/machine/target.h"

namespace hk::sim {

class Program {
 public:
  Target target = Target::gfx942;
  std::vector<Instruction> instructions; // ascending offsets; branches and `next` count in this list
  // Device address of the byte at offset 0, set when the object is loaded; what s_getpc_b64 reads builds on it.
  std::uint64_t code_address = 0;
  // Virtual address, in the code object, of the byte at offset 0.
  std::uint64_t code_virtual_address = 0;

  // Kernels (index of their first instruction) whose result depends on the order of their workgroups' atomics.
  std::vector<std::uint32_t> order_dependent_entries;

  // Index of the instruction that starts at the byte offset; -1 if none does.
  [[nodiscard]] std::int64_t index_of(std::uint64_t offset) const {
    const std::uint64_t word = offset / 4;
    return offset % 4 == 0 && word < m_index_by_word.size() ? m_index_by_word[word] : -1;
  }
  // Index of the instruction at an address of the code object, e.g. Kernel::entry_address; -1 if none starts there.
  [[nodiscard]] std::int64_t index_of_virtual_address(std::uint64_t address) const {
    return address < code_virtual_address ? -1 : index_of(address - code_virtual_address);
  }
  // Device address of an instruction.
  [[nodiscard]] std::uint64_t address_of(std::uint64_t index) const {
    return code_address + (index < instructions.size() ? instructions[index].offset : m_index_by_word.size() * 4);
  }

  // Builds the offset table and resolves direct branches; called once, by the decoder.
  void finish();

 private:
  std::vector<std::int32_t> m_index_by_word;
};

} // namespace hk::sim
