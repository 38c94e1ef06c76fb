#pragma once
// Addresses of scalar memory instructions: data, base or descriptor, offset.

#include <cstdint>
#include <string>

#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim::scalar {

// The two low bits of a scalar address are ignored.
inline constexpr std::uint64_t k_dword_mask = ~std::uint64_t{3};

// The part of the address that is not the base: immediate, or register and perhaps an immediate behind it.
inline std::int64_t address_offset(Wave& wave, const Instruction& instruction) {
  const Operand& operand = instruction.operands[2];
  const std::int64_t offset =
      operand.kind == OperandKind::integer_constant ? operand.integer : std::int64_t(read32(wave, instruction, 2));
  return offset + instruction.modifiers.offset;
}

inline std::uint64_t flat_address(Wave& wave, const Instruction& instruction) {
  return (read64(wave, instruction, 1) + std::uint64_t(address_offset(wave, instruction))) & k_dword_mask;
}

struct BufferAddress {
  std::uint64_t address = 0;
  std::uint64_t available = 0; // dwords from there to the end of the buffer
};

// Descriptor: base address in word 0 and word1[15:0], stride in word1[29:16], number of records in word 2. The size in
// bytes is records, or records * stride if there is a stride; a dword that ends past it is out of bounds.
inline BufferAddress buffer_address(Wave& wave, const Instruction& instruction) {
  const std::uint32_t* const words = wave.scalar + instruction.operands[1].index;
  const std::uint64_t base = words[0] | (std::uint64_t(words[1] & 0xffff) << 32);
  const std::uint32_t stride = (words[1] >> 16) & 0x3fff;
  const std::uint64_t size = std::uint64_t(words[2]) * (stride == 0 ? 1 : stride);
  const std::uint64_t offset = std::uint64_t(address_offset(wave, instruction)) & k_dword_mask;
  return {(base & k_dword_mask) + offset, offset < size ? (size - offset) / sizeof(std::uint32_t) : 0};
}

inline Operation scalar_memory_operation(const std::string& mnemonic, Execute execute, std::uint8_t destinations) {
  Operation operation = scalar_operation(mnemonic.c_str(), execute, destinations);
  operation.operation_class = OperationClass::scalar_memory;
  return operation;
}

} // namespace hk::sim::scalar
