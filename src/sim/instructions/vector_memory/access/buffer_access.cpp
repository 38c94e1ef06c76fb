#include "sim/instructions/vector_memory/access/buffer_access.h"

#include <bit>

#include "sim/instructions/vector_memory/access/lane_memory.h"
#include "sim/machine/lane_vectors.h"

namespace hk::sim {

namespace {

constexpr std::uint64_t k_buffer_address_limit = std::uint64_t{1} << 48;
constexpr std::uint64_t k_most_raw_bytes = std::uint64_t{1} << 33; // offset and soffset of 32 bits

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

// For all lanes, active or not, so that the loop is plain.
void fill_addresses(const Wave& wave, const Instruction& instruction, const BufferResource& resource,
                    const Operand& vector_address, std::uint32_t scalar, const BufferAccessKind& kind,
                    PendingAccess& access) {
  static constexpr std::uint32_t k_none[k_wave_size] = {};
  const Modifiers& modifiers = instruction.modifiers;
  const std::uint32_t* index = modifiers.idxen ? wave.vector[vector_address.index] : k_none;
  const std::uint32_t* offset =
      modifiers.offen ? wave.vector[vector_address.index + (modifiers.idxen ? 1 : 0)] : k_none;
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const BufferOffsets offsets{modifiers.idxen, index[lane], offset[lane] + std::uint32_t(modifiers.offset), scalar,
                                std::uint32_t(lane)};
    access.addresses[lane] = pack_buffer_address(locate_in_buffer(resource, offsets, kind.bytes, kind.atomic));
  }
}

// Addresses of a raw access whose active lanes are all whole in range, the usual case. False if it is another one; the
// addresses are then to be filled again.
bool fill_whole_addresses(const Wave& wave, const Instruction& instruction, const BufferResource& resource,
                          const Operand& vector_address, std::uint32_t scalar, const BufferAccessKind& kind,
                          PendingAccess& access) {
  static constexpr std::uint32_t k_none[k_wave_size] = {};
  const Modifiers& modifiers = instruction.modifiers;
  if (modifiers.idxen || resource.swizzled || resource.add_lane || resource.unbound || kind.atomic)
    return false;
  const std::uint32_t* offset = modifiers.offen ? wave.vector[vector_address.index] : k_none;
  const std::uint64_t largest =
      offset_addresses(offset, std::uint32_t(modifiers.offset), access.exec, access.addresses.data());
  const std::uint64_t base = resource.base + scalar;
  if (largest + scalar + kind.bytes > resource.num_records || base + k_most_raw_bytes > k_buffer_address_limit)
    return false;
  const std::uint64_t packed = pack_buffer_address({base, kind.bytes});
  for (std::uint64_t& address : access.addresses)
    address += packed;
  return true;
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

MappedRange range_of_whole_lanes(const Wave& wave, const PendingAccess& access, std::uint32_t bytes, bool writes) {
  if (access.extra != k_all_lanes_whole)
    return {};
  return range_of_all_lanes(wave, access, bytes, writes, pack_buffer_address({0, bytes}));
}

PendingAccess* prepare_buffer_access(Wave& wave, const Instruction& instruction, int first_operand,
                                     const BufferAccessKind& kind) {
  const Operand& vector_address = instruction.operands[std::size_t(first_operand)];
  const Operand& descriptor = instruction.operands[std::size_t(first_operand) + 1];
  const BufferResource resource = decode_buffer_resource(&wave.scalar[descriptor.index]);
  if (const char* reason = refusal(resource, kind); reason != nullptr) {
    wave.raise(FaultKind::unsupported_operand, instruction, reason);
    return nullptr;
  }
  PendingAccess& access = wave.prepare_access(instruction, Counter::vector_memory);
  const std::uint32_t scalar = scalar_offset(wave, instruction.operands[std::size_t(first_operand) + 2]);
  if (fill_whole_addresses(wave, instruction, resource, vector_address, scalar, kind, access)) {
    access.extra = k_all_lanes_whole;
    if (range_of_whole_lanes(wave, access, kind.bytes, kind.writes).host != nullptr)
      return &access;
  } else {
    fill_addresses(wave, instruction, resource, vector_address, scalar, kind, access);
  }
  LaneMemory memory(wave);
  bool accessible = true;
  for_each_lane(access.exec, [&](int lane) {
    if (accessible)
      accessible = check_lane(wave, memory, access, lane, unpack_buffer_address(access.addresses[lane]), kind);
  });
  return accessible ? &access : nullptr;
}

} // namespace hk::sim
