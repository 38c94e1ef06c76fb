// flat_store_*: vaddr, vdata.

#include "sim/instructions/vector_memory/access/lane_addresses.h"
#include "sim/instructions/vector_memory/access/operations.h"
#include "sim/instructions/vector_memory/access/transfer.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
struct FlatStore {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access = prepare_flat_access(wave, instruction, instruction.operands[0], Format.bytes);
    if (access == nullptr || !check_lane_addresses(wave, *access, Format.bytes, true, true))
      return;
    capture_store_data(wave, *access, instruction.operands[1], Format.registers());
    access->complete = complete_store<Format>;
    wave.issue_prepared(false);
  }
};

} // namespace

void register_flat_store(OperationTable& table) {
  add_stores<FlatStore>(table, "flat_store_");
}

} // namespace hk::sim
