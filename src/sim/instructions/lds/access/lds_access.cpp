#include "sim/instructions/lds/access/lds_access.h"

#include <cstdio>
#include <utility>

#include "sim/machine/lane_vectors.h"

namespace hk::sim {

PendingAccess* prepare_lds_access(Wave& wave, const Instruction& instruction, const Operand& address,
                                  std::uint32_t offset, std::uint32_t bytes) {
  if (instruction.modifiers.gds) {
    wave.raise(FaultKind::unsupported_operand, instruction, "these targets have no global data share (gds)");
    return nullptr;
  }
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  const std::uint64_t largest =
      offset_addresses(wave.vector[address.index], offset, access.exec, access.addresses.data());
  if (largest + bytes <= wave.workgroup->lds.size()) [[likely]]
    return &access;
  return check_lds_range(wave, access, 0, bytes) ? &access : nullptr;
}

bool check_lds_range(Wave& wave, const PendingAccess& access, std::uint32_t displacement, std::uint32_t bytes) {
  const std::uint64_t size = wave.workgroup->lds.size();
  int outside = -1;
  for_each_lane(access.exec, [&](int lane) {
    if (outside < 0 && access.addresses[lane] + displacement + bytes > size)
      outside = lane;
  });
  if (outside < 0)
    return true;
  const std::uint64_t address = access.addresses[outside] + displacement;
  char text[160];
  std::snprintf(text, sizeof text, "%u bytes at LDS address 0x%llx, but the workgroup has %llu bytes of LDS", bytes,
                static_cast<unsigned long long>(address), static_cast<unsigned long long>(size));
  wave.raise(FaultKind::lds_out_of_bounds, *access.instruction, text, outside, address);
  return false;
}

bool check_lds_alignment(Wave& wave, const PendingAccess& access, std::uint32_t alignment) {
  std::uint64_t bits = 0; // of all lanes, executed or not
  for (const std::uint64_t address : access.addresses)
    bits |= address;
  if (bits % alignment == 0) // a power of two
    return true;
  int misaligned = -1;
  for_each_lane(access.exec, [&](int lane) {
    if (misaligned < 0 && access.addresses[lane] % alignment != 0)
      misaligned = lane;
  });
  if (misaligned < 0)
    return true;
  wave.raise(FaultKind::misaligned, *access.instruction,
             "this instruction needs LDS addresses that are multiples of " + std::to_string(alignment), misaligned,
             access.addresses[misaligned]);
  return false;
}

void capture_data(const Wave& wave, PendingAccess& access, const Operand& operand, int first, int count) {
  if (count == 4) {
    gather_four_dwords(&wave.vector[operand.index], access.data[0].data());
    return;
  }
  for (int i = 0; i < count; ++i) {
    const std::uint32_t* line = wave.vector[operand.index + i];
    for (int lane = 0; lane < k_wave_size; ++lane)
      access.data[lane][first + i] = line[lane];
  }
}

void add_lds_operation(OperationTable& table, std::string mnemonic, Execute execute, std::uint8_t destinations,
                       unsigned bytes_per_lane) {
  Operation operation;
  operation.mnemonic = std::move(mnemonic);
  operation.execute = execute;
  operation.operation_class = OperationClass::lds;
  operation.destinations = destinations;
  operation.issue_clocks = lds_clocks(bytes_per_lane);
  table.add(std::move(operation));
}

} // namespace hk::sim
