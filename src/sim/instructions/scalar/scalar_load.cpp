// Loads through the scalar cache: s_load from an address, s_buffer_load through a buffer descriptor.
#include <cstring>
#include <string>

#include "sim/instructions/scalar/access/scalar_address.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

namespace {

using namespace scalar;

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

void issue_load(Wave& wave, const Instruction& instruction, std::uint64_t address, std::uint32_t readable) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  access.scalar = true;
  access.addresses[0] = address;
  access.extra = readable;
  access.complete = load_dwords;
  wave.issue_prepared(true);
}

void load(Wave& wave, const Instruction& instruction) {
  issue_load(wave, instruction, flat_address(wave, instruction), instruction.operands[0].registers);
}

// Each dword out of bounds reads as zero.
void buffer_load(Wave& wave, const Instruction& instruction) {
  const std::uint32_t wanted = instruction.operands[0].registers;
  const BufferAddress place = buffer_address(wave, instruction);
  issue_load(wave, instruction, place.address, place.available < wanted ? std::uint32_t(place.available) : wanted);
}

} // namespace

void register_scalar_load(OperationTable& table) {
  for (const char* width : {"dword", "dwordx2", "dwordx4", "dwordx8", "dwordx16"}) {
    table.add(scalar_memory_operation(std::string("s_load_") + width, load, 1));
    table.add(scalar_memory_operation(std::string("s_buffer_load_") + width, buffer_load, 1));
  }
}

} // namespace hk::sim
