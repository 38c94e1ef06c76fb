// global_atomic_*: [vdst,] vaddr, vdata, saddr or off; vdst is there with sc0.

#include "sim/instructions/vector_memory/access/atomic_access.h"
#include "sim/instructions/vector_memory/access/lane_addresses.h"

namespace hk::sim {

namespace {

template <Atomic Kind, typename Word>
struct GlobalAtomic {
  static void execute(Wave& wave, const Instruction& instruction) {
    const bool returns = returns_value(instruction);
    const std::size_t first = returns ? 1 : 0;
    PendingAccess* access =
        prepare_global_access(wave, instruction, instruction.operands[first], instruction.operands[first + 2]);
    if (!check_lane_addresses(wave, *access, sizeof(Word), true, false) ||
        !check_lane_alignment(wave, *access, sizeof(Word)))
      return;
    capture_store_data(wave, *access, instruction.operands[first + 1], k_atomic_data_registers<Kind, Word>);
    access->complete = complete_atomic<Kind, Word>;
    wave.issue_prepared(returns);
  }
};

} // namespace

void register_global_atomic(OperationTable& table) {
  add_atomics<GlobalAtomic>(table, "global_atomic_");
}

} // namespace hk::sim
