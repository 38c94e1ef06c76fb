// buffer_load_*: vdata, vaddr or off, srsrc, soffset; with the lds modifier no vdata, and the data goes to LDS. What is
// out of the buffer's range reads as 0, into LDS too (ROCm/rocm-systems pull request 10928, checked there on gfx950).

#include "sim/instructions/vector_memory/access/buffer_access.h"
#include "sim/instructions/vector_memory/access/load_to_lds.h"
#include "sim/instructions/vector_memory/access/operations.h"
#include "sim/instructions/vector_memory/access/transfer.h"

namespace hk::sim {

namespace {

// Puts what is in range into `dwords`, which hold zeros; false after a fault.
template <ElementFormat Format>
bool fetch(Wave& wave, LaneMemory& memory, const PendingAccess& access, int lane, std::uint32_t* dwords) {
  const BufferAddress found = unpack_buffer_address(access.addresses[lane]);
  if (found.bytes_in_range == 0)
    return true;
  const std::byte* source = memory.device(found.address, found.bytes_in_range, false);
  if (source == nullptr) { // freed since the issue
    raise_inaccessible(wave, access, lane, found.address, found.bytes_in_range, false);
    return false;
  }
  if (found.bytes_in_range == Format.bytes)
    load_dwords<Format>(source, is_scoped(*access.instruction), dwords);
  else
    std::memcpy(dwords, source, found.bytes_in_range);
  return true;
}

template <ElementFormat Format>
void complete_to_registers(Wave& wave, const PendingAccess& access) {
  auto* target = &wave.vector[access.instruction->operands[0].index];
  if (!is_scoped(*access.instruction)) {
    const MappedRange range = range_of_whole_lanes(wave, access, Format.bytes, false);
    if (range.host != nullptr)
      return load_lanes<Format>(range.host, range.begin, access.addresses.data(), target);
  }
  LaneMemory memory(wave);
  for_each_lane(access.exec, [&](int lane) {
    std::uint32_t dwords[4] = {};
    if (!fetch<Format>(wave, memory, access, lane, dwords))
      return;
    for (int i = 0; i < Format.registers(); ++i)
      target[i][lane] = dwords[i];
  });
}

template <ElementFormat Format>
void complete_to_lds(Wave& wave, const PendingAccess& access) {
  if (Format.bytes == 16 && !is_scoped(*access.instruction)) {
    const MappedRange range = range_of_whole_lanes(wave, access, Format.bytes, false);
    if (range.host != nullptr) {
      for (int lane = 0; lane < k_wave_size; ++lane)
        std::memcpy(lds_slot<Format>(wave, access, lane), range.at(access.addresses[lane]), Format.bytes);
      return;
    }
  }
  LaneMemory memory(wave);
  for_each_lane(access.exec, [&](int lane) {
    std::uint32_t dwords[4] = {};
    if (fetch<Format>(wave, memory, access, lane, dwords))
      std::memcpy(lds_slot<Format>(wave, access, lane), dwords, std::size_t(Format.registers()) * 4);
  });
}

template <ElementFormat Format>
struct BufferLoad {
  static void execute(Wave& wave, const Instruction& instruction) {
    const bool to_lds = instruction.modifiers.lds;
    if (to_lds && (Format.bytes == 8 || Format.half != RegisterHalf::whole)) {
      wave.raise(FaultKind::unsupported_operand, instruction, "this width cannot be loaded into LDS");
      return;
    }
    PendingAccess* access = prepare_buffer_access(wave, instruction, to_lds ? 0 : 1, {Format.bytes, false, false});
    if (access == nullptr || (to_lds && !set_lds_destination(wave, *access, Format)))
      return;
    access->complete = to_lds ? complete_to_lds<Format> : complete_to_registers<Format>;
    wave.issue_prepared(!to_lds);
  }
};

} // namespace

void register_buffer_load(OperationTable& table) {
  add_loads<BufferLoad>(table, "buffer_load_");
}

} // namespace hk::sim
