// Stores through the scalar cache: s_store to an address, s_buffer_store through a buffer descriptor ("CDNA3 ISA",
// section Scalar Memory Operations). They count in lgkmcnt and complete in no order.
#include <cstring>
#include <string>

#include "sim/instructions/scalar/access/scalar_address.h"
#include "sim/instructions/vector_memory/access/lane_memory.h"

namespace hk::sim {

namespace {

using namespace scalar;

void store_dwords(Wave& wave, const PendingAccess& access) {
  const std::uint64_t address = access.addresses[0];
  const unsigned bytes = access.extra * unsigned(sizeof(std::uint32_t));
  LaneMemory memory(wave);
  if (std::byte* const place = memory.device(address, bytes, true); place != nullptr)
    std::memcpy(place, access.data[0].data(), bytes);
  else
    raise_inaccessible(wave, access, -1, address, bytes, true);
}

// Dwords from `count` on are out of bounds and not written.
void issue_store(Wave& wave, const Instruction& instruction, std::uint64_t address, std::uint64_t count) {
  if (count == 0)
    return;
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  access.scalar = true;
  access.addresses[0] = address;
  access.extra = std::uint32_t(count);
  for (std::uint32_t i = 0; i < access.extra; ++i)
    access.data[0][i] = wave.scalar[instruction.operands[0].index + i];
  access.complete = store_dwords;
  wave.issue_prepared(false);
}

void store(Wave& wave, const Instruction& instruction) {
  issue_store(wave, instruction, flat_address(wave, instruction), instruction.operands[0].registers);
}

void buffer_store(Wave& wave, const Instruction& instruction) {
  const std::uint64_t wanted = instruction.operands[0].registers;
  const BufferAddress place = buffer_address(wave, instruction);
  issue_store(wave, instruction, place.address, place.available < wanted ? place.available : wanted);
}

} // namespace

void register_scalar_store(OperationTable& table) {
  for (const char* width : {"dword", "dwordx2", "dwordx4"}) {
    table.add(scalar_memory_operation(std::string("s_store_") + width, store, 0));
    table.add(scalar_memory_operation(std::string("s_buffer_store_") + width, buffer_store, 0));
  }
}

} // namespace hk::sim
