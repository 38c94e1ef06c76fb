// flat_atomic_*: [vdst,] vaddr, vdata; vdst is there with sc0. In the shared aperture the atomic works on LDS.

#include "sim/instructions/vector_memory/access/atomic_access.h"
#include "sim/instructions/vector_memory/access/lane_addresses.h"

namespace hk::sim {

namespace {

template <Atomic Kind, typename Word>
struct FlatAtomic {
  static void execute(Wave& wave, const Instruction& instruction) {
    const bool returns = returns_value(instruction);
    const std::size_t first = returns ? 1 : 0;
    PendingAccess* access = prepare_flat_access(wave, instruction, instruction.operands[first], sizeof(Word));
    if (access == nullptr || !check_lane_addresses(wave, *access, sizeof(Word), true, true) ||
        !check_lane_alignment(wave, *access, sizeof(Word)))
      return;
    capture_store_data(wave, *access, instruction.operands[first + 1], k_atomic_data_registers<Kind, Word>);
    access->complete = complete_atomic<Kind, Word>;
    wave.issue_prepared(returns);
  }
};

} // namespace

void register_flat_atomic(OperationTable& table) {
  add_atomics<FlatAtomic>(table, "flat_atomic_");
}

} // namespace hk::sim
