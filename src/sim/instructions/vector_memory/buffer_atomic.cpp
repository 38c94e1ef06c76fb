// buffer_atomic_*: vdata, vaddr or off, srsrc, soffset. With sc0 the value from before lands in vdata. Out of range
// nothing happens, and the value returned is 0.

#include "sim/instructions/vector_memory/access/atomic_access.h"
#include "sim/instructions/vector_memory/access/buffer_access.h"

namespace hk::sim {

namespace {

template <Atomic Kind, typename Word>
void complete_buffer_atomic(Wave& wave, const PendingAccess& access) {
  LaneMemory memory(wave);
  for_each_lane(access.exec, [&](int lane) {
    const BufferAddress found = unpack_buffer_address(access.addresses[lane]);
    Word old = 0;
    if (found.bytes_in_range != 0) {
      std::byte* place = memory.device(found.address, sizeof(Word), true);
      if (place == nullptr) { // freed since the issue
        raise_inaccessible(wave, access, lane, found.address, sizeof(Word), true);
        return;
      }
      old = apply_atomic<Kind, Word>(place, access.data[lane]);
    }
    if (returns_value(*access.instruction))
      return_old_value(wave, access, lane, old);
  });
}

template <Atomic Kind, typename Word>
struct BufferAtomic {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access = prepare_buffer_access(wave, instruction, 1, {sizeof(Word), true, true});
    if (access == nullptr)
      return;
    capture_store_data(wave, *access, instruction.operands[0], k_atomic_data_registers<Kind, Word>);
    access->complete = complete_buffer_atomic<Kind, Word>;
    wave.issue_prepared(returns_value(instruction));
  }
};

} // namespace

void register_buffer_atomic(OperationTable& table) {
  add_atomics<BufferAtomic>(table, "buffer_atomic_");
}

} // namespace hk::sim
