#include "sim/instructions/vector_memory/access/lane_memory.h"

#include <utility>

#include "sim/instructions/lds/access/lanes.h"
#include "sim/machine/lane_vectors.h"

namespace hk::sim {

void raise_inaccessible(Wave& wave, const PendingAccess& access, int lane, std::uint64_t address, std::uint32_t bytes,
                        bool writes) {
  const Instruction& instruction = *access.instruction;
  const std::uint64_t offset = address & 0xffffffffu;
  if (is_shared_address(address) && access.counter == Counter::flat) {
    wave.raise(FaultKind::lds_out_of_bounds, instruction,
               std::to_string(bytes) + " bytes at a generic address that is byte " + std::to_string(offset) +
                   " of LDS, but the workgroup has " + std::to_string(wave.workgroup->lds.size()) + " bytes of LDS",
               lane, offset);
    return;
  }
  const MemoryMap& memory = *wave.workgroup->memory;
  std::string explanation;
  if (is_shared_address(address) || is_private_address(address))
    explanation = "a generic address of LDS or scratch, which only FLAT instructions can use";
  else if (writes && memory.find(address).contains(address, bytes))
    explanation = "a write of " + std::to_string(bytes) + " bytes to read-only memory of a loaded code object";
  else
    explanation = memory.describe(address, bytes);
  wave.raise(FaultKind::global_out_of_bounds, instruction, std::move(explanation), lane, address);
}

MappedRange range_of_all_lanes(const Wave& wave, const PendingAccess& access, std::uint32_t bytes, bool writes,
                               std::uint64_t tag) {
  if (access.exec != ~std::uint64_t{0})
    return {};
  const AddressBounds bounds = bounds_of(access.addresses.data());
  const std::uint64_t least = bounds.least - tag;
  MappedRange range = wave.workgroup->memory->find(least);
  if (!range.contains(least, bounds.largest - bounds.least + bytes) || (writes && range.read_only))
    return {};
  range.begin += tag;
  range.end += tag;
  return range;
}

bool check_lane_addresses(Wave& wave, const PendingAccess& access, std::uint32_t bytes, bool writes, bool generic) {
  if (range_of_all_lanes(wave, access, bytes, writes).host != nullptr)
    return true;
  LaneMemory memory(wave);
  int refused = -1;
  for_each_lane(access.exec, [&](int lane) {
    if (refused >= 0)
      return;
    const std::uint64_t address = access.addresses[lane];
    const std::byte* found = generic ? memory.generic(address, bytes, writes) : memory.device(address, bytes, writes);
    if (found == nullptr)
      refused = lane;
  });
  if (refused < 0)
    return true;
  raise_inaccessible(wave, access, refused, access.addresses[refused], bytes, writes);
  return false;
}

bool check_lane_alignment(Wave& wave, const PendingAccess& access, std::uint32_t alignment) {
  int misaligned = -1;
  for_each_lane(access.exec, [&](int lane) {
    if (misaligned < 0 && access.addresses[lane] % alignment != 0)
      misaligned = lane;
  });
  if (misaligned < 0)
    return true;
  wave.raise(FaultKind::misaligned, *access.instruction,
             "an atomic of " + std::to_string(alignment) + " bytes needs an address that is a multiple of it",
             misaligned, access.addresses[misaligned]);
  return false;
}

} // namespace hk::sim
