// buffer_store_*: vdata, vaddr or off, srsrc, soffset. Dwords out of the buffer's range are dropped.

#include "sim/instructions/vector_memory/access/buffer_access.h"
#include "sim/instructions/vector_memory/access/operations.h"
#include "sim/instructions/vector_memory/access/transfer.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
void complete(Wave& wave, const PendingAccess& access) {
  const bool scoped = is_scoped(*access.instruction);
  LaneMemory memory(wave);
  for_each_lane(access.exec, [&](int lane) {
    const BufferAddress found = unpack_buffer_address(access.addresses[lane]);
    if (found.bytes_in_range == 0)
      return;
    std::byte* target = memory.device(found.address, found.bytes_in_range, true);
    if (target == nullptr)
      raise_inaccessible(wave, access, lane, found.address, found.bytes_in_range, true);
    else if (found.bytes_in_range == Format.bytes)
      store_dwords<Format>(target, scoped, access.data[lane].data());
    else
      std::memcpy(target, access.data[lane].data(), found.bytes_in_range);
  });
}

template <ElementFormat Format>
struct BufferStore {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access = prepare_buffer_access(wave, instruction, 1, {Format.bytes, true, false});
    if (access == nullptr)
      return;
    capture_store_data(wave, *access, instruction.operands[0], Format.registers());
    access->complete = complete<Format>;
    wave.issue_prepared(false);
  }
};

} // namespace

void register_buffer_store(OperationTable& table) {
  add_stores<BufferStore>(table, "buffer_store_");
}

} // namespace hk::sim
