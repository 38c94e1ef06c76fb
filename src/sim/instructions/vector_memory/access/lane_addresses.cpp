#include "sim/instructions/vector_memory/access/lane_addresses.h"

#include "sim/instructions/lds/access/lanes.h"
#include "sim/instructions/vector_memory/access/lane_memory.h"

namespace hk::sim {

namespace {

std::uint64_t vector64(const Wave& wave, const Operand& operand, int lane) {
  return wave.vector[operand.index][lane] | std::uint64_t(wave.vector[operand.index + 1][lane]) << 32;
}

// The lane's device address of a private byte offset, or 0 with a fault raised.
std::uint64_t device_address_of_private(Wave& wave, const Instruction& instruction, int lane, std::uint32_t offset,
                                        std::uint32_t bytes) {
  if (wave.scratch_base != 0 && std::uint64_t(offset) + bytes <= wave.scratch_bytes_per_lane)
    return wave.scratch_base + std::uint64_t(unsigned(lane)) * wave.scratch_bytes_per_lane + offset;
  wave.raise(FaultKind::scratch_out_of_bounds, instruction,
             std::to_string(bytes) + " bytes at private offset " + std::to_string(offset) + ", but a lane has " +
                 std::to_string(wave.scratch_base == 0 ? 0 : wave.scratch_bytes_per_lane) + " bytes of scratch",
             lane, offset);
  return 0;
}

} // namespace

PendingAccess* prepare_global_access(Wave& wave, const Instruction& instruction, const Operand& vector_address,
                                     const Operand& scalar_address) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::vector_memory);
  const auto offset = std::uint64_t(std::int64_t(instruction.modifiers.offset));
  if (scalar_address.kind == OperandKind::scalar_register) {
    const std::uint64_t base = wave.scalar64(scalar_address.index) + offset;
    for (int lane = 0; lane < k_wave_size; ++lane)
      access.addresses[lane] = base + wave.vector[vector_address.index][lane];
  } else {
    for (int lane = 0; lane < k_wave_size; ++lane)
      access.addresses[lane] = vector64(wave, vector_address, lane) + offset;
  }
  return &access;
}

PendingAccess* prepare_scratch_access(Wave& wave, const Instruction& instruction, const Operand& vector_address,
                                      const Operand& scalar_address, std::uint32_t bytes) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::vector_memory);
  std::uint32_t base = std::uint32_t(instruction.modifiers.offset);
  if (scalar_address.kind == OperandKind::scalar_register)
    base += wave.scalar[scalar_address.index];
  const bool from_vector = vector_address.kind == OperandKind::vector_register;
  for_each_lane(access.exec, [&](int lane) {
    const std::uint32_t offset = base + (from_vector ? wave.vector[vector_address.index][lane] : 0);
    access.addresses[lane] = device_address_of_private(wave, instruction, lane, offset, bytes);
  });
  return wave.fault.any() ? nullptr : &access;
}

PendingAccess* prepare_flat_access(Wave& wave, const Instruction& instruction, const Operand& vector_address,
                                   std::uint32_t bytes) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::flat);
  const auto offset = std::uint64_t(std::int64_t(instruction.modifiers.offset));
  for_each_lane(access.exec, [&](int lane) {
    const std::uint64_t address = vector64(wave, vector_address, lane) + offset;
    access.addresses[lane] = is_private_address(address)
                                 ? device_address_of_private(wave, instruction, lane, std::uint32_t(address), bytes)
                                 : address;
  });
  return wave.fault.any() ? nullptr : &access;
}

} // namespace hk::sim
