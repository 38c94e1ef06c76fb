// flat_load_*: vdst, vaddr. A generic address goes to LDS, scratch or device memory; both counters count it.

#include "sim/instructions/vector_memory/access/lane_addresses.h"
#include "sim/instructions/vector_memory/access/operations.h"
#include "sim/instructions/vector_memory/access/transfer.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
struct FlatLoad {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access = prepare_flat_access(wave, instruction, instruction.operands[1], Format.bytes);
    if (access == nullptr || !check_lane_addresses(wave, *access, Format.bytes, false, true))
      return;
    access->complete = complete_load<Format>;
    wave.issue_prepared(true);
  }
};

} // namespace

void register_flat_load(OperationTable& table) {
  add_loads<FlatLoad>(table, "flat_load_");
}

} // namespace hk::sim
