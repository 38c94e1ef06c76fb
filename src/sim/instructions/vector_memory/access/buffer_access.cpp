#include "sim/instructions/vector_memory/access/buffer_access.h"

#include <bit>

#include "sim/instructions/vector_memory/access/lane_memory.h"

namespace hk::sim {

namespace {

std::uint32_t scalar_offset(const Wave& wave, const Operand& operand) {
  if (operand.kind == OperandKind::scalar_register)
    return wave.scalar[operand.index];
  if (operand.kind == OperandKind::float_constant)
    return std::bit_cast<std::uint32_t>(float(operand.real));
  return std::uint32_t(operand.integer);
}

// Null, or why the access cannot be executed.
const char* refusal(const BufferResource& resource, const BufferAccessKind& kind) {
  if (resource.invalid != nullptr)
    return resource.invalid;
  if (resource.swizzled && kind.bytes > 4)
    return "a swizzled buffer is accessed with more than 4 bytes per lane";
  return nullptr;
}

bool check_lane(Wave& wave, LaneMemory& memory, const PendingAccess& access, int lane, const BufferAddress& found,
                const BufferAccessKind& kind) {
  if (found.bytes_in_range == 0)
    return true;
  if (memory.device(found.address, found.bytes_in_range, kind.writes) == nullptr) {
    raise_inaccessible(wave, access, lane, found.address, found.bytes_in_range, kind.writes);
    return false;
  }
  if (kind.atomic && found.address % kind.bytes != 0) {
    wave.raise(FaultKind::misaligned, *access.instruction,
               "an atomic of " + std::to_string(kind.bytes) + " bytes needs an address that is a multiple of it", lane,
               found.address);
    return false;
  }
  return true;
}

} // namespace

PendingAccess* prepare_buffer_access(Wave& wave, const Instruction& instruction, int first_operand,
                                     const BufferAccessKind& kind) {
  const Modifiers& modifiers = instruction.modifiers;
  const Operand& vector_address = instruction.operands[std::size_t(first_operand)];
  const Operand& descriptor = instruction.operands[std::size_t(first_operand) + 1];
  const BufferResource resource = decode_buffer_resource(&wave.scalar[descriptor.index]);
  if (const char* reason = refusal(resource, kind); reason != nullptr) {
    wave.raise(FaultKind::unsupported_operand, instruction, reason);
    return nullptr;
  }
  PendingAccess& access = wave.prepare_access(instruction, Counter::vector_memory);
  BufferOffsets offsets;
  offsets.indexed = modifiers.idxen;
  offsets.scalar = scalar_offset(wave, instruction.operands[std::size_t(first_operand) + 2]);
  const std::uint32_t* index_line = wave.vector[vector_address.index];
  const std::uint32_t* offset_line = wave.vector[vector_address.index + (modifiers.idxen ? 1 : 0)];
  LaneMemory memory(wave);
  bool accessible = true;
  for_each_lane(access.exec, [&](int lane) {
    if (!accessible)
      return;
    offsets.lane = std::uint32_t(lane);
    offsets.index = modifiers.idxen ? index_line[lane] : 0;
    offsets.offset = (modifiers.offen ? offset_line[lane] : 0) + std::uint32_t(modifiers.offset);
    const BufferAddress found = locate_in_buffer(resource, offsets, kind.bytes, kind.atomic);
    access.addresses[lane] = pack_buffer_address(found);
    accessible = check_lane(wave, memory, access, lane, found, kind);
  });
  return accessible ? &access : nullptr;
}

} // namespace hk::sim
