// Loads through the scalar cache: s_load from an address, s_buffer_load through a buffer descriptor.
#include <cstring>
#include <string>

#include "sim/instructions/scalar/access/scalar_access.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

namespace {

using namespace scalar;

// The two low bits of a scalar address are ignored.
constexpr std::uint64_t k_dword_mask = ~std::uint64_t{3};

void load_dwords(Wave& wave, const PendingAccess& access) {
  const RegisterRange target = access.destination;
  const std::uint64_t address = access.addresses[0];
  // How many dwords a buffer's bounds let through; the rest reads as zero.
  const std::uint32_t readable = access.extra;
  std::uint32_t* const registers = wave.scalar + target.first;
  std::memset(registers, 0, target.count * sizeof(std::uint32_t));
  if (readable == 0)
    return;
  const std::uint64_t bytes = readable * sizeof(std::uint32_t);
  const MappedRange range = wave.workgroup->memory->find(address);
  if (!range.contains(address, bytes)) {
    wave.raise(FaultKind::global_out_of_bounds, *access.instruction, wave.workgroup->memory->describe(address, bytes),
               -1, address);
    return;
  }
  std::memcpy(registers, range.at(address), bytes);
}

// The part of the address that is not the base: immediate, or register and perhaps an immediate behind it.
std::int64_t offset_of(Wave& wave, const Instruction& instruction) {
  const Operand& operand = instruction.operands[2];
  const std::int64_t offset =
      operand.kind == OperandKind::integer_constant ? operand.integer : std::int64_t(read32(wave, instruction, 2));
  return offset + instruction.modifiers.offset;
}

void issue_load(Wave& wave, const Instruction& instruction, std::uint64_t address, std::uint32_t readable) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  access.scalar = true;
  access.addresses[0] = address;
  access.extra = readable;
  access.complete = load_dwords;
  wave.issue_prepared(true);
}

void load(Wave& wave, const Instruction& instruction) {
  const std::uint64_t address = read64(wave, instruction, 1) + std::uint64_t(offset_of(wave, instruction));
  issue_load(wave, instruction, address & k_dword_mask, instruction.operands[0].registers);
}

// Descriptor: base address in word 0 and word1[15:0], stride in word1[29:16], number of records in word 2. The size in
// bytes is records, or records * stride if there is a stride; each dword that ends past it reads as zero.
void buffer_load(Wave& wave, const Instruction& instruction) {
  const std::uint32_t* const words = wave.scalar + instruction.operands[1].index;
  const std::uint64_t base = words[0] | (std::uint64_t(words[1] & 0xffff) << 32);
  const std::uint32_t stride = (words[1] >> 16) & 0x3fff;
  const std::uint64_t size = std::uint64_t(words[2]) * (stride == 0 ? 1 : stride);
  const std::uint64_t offset = std::uint64_t(offset_of(wave, instruction)) & k_dword_mask;
  const std::uint32_t wanted = instruction.operands[0].registers;
  const std::uint64_t available = offset < size ? (size - offset) / sizeof(std::uint32_t) : 0;
  issue_load(wave, instruction, (base & k_dword_mask) + offset, available < wanted ? std::uint32_t(available) : wanted);
}

Operation load_operation(const std::string& mnemonic, Execute execute) {
  Operation operation = scalar_operation(mnemonic.c_str(), execute);
  operation.operation_class = OperationClass::scalar_memory;
  return operation;
}

} // namespace

void register_scalar_load(OperationTable& table) {
  for (const char* width : {"dword", "dwordx2", "dwordx4", "dwordx8", "dwordx16"}) {
    table.add(load_operation(std::string("s_load_") + width, load));
    table.add(load_operation(std::string("s_buffer_load_") + width, buffer_load));
  }
}

} // namespace hk::sim
