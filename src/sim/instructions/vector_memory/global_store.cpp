// global_store_*: vaddr, vdata, saddr or off.

#include "sim/instructions/vector_memory/access/lane_addresses.h"
#include "sim/instructions/vector_memory/access/operations.h"
#include "sim/instructions/vector_memory/access/transfer.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
struct GlobalStore {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access = prepare_global_access(wave, instruction, instruction.operands[0], instruction.operands[2]);
    if (!check_lane_addresses(wave, *access, Format.bytes, true, false))
      return;
    capture_store_data(wave, *access, instruction.operands[1], Format.registers());
    access->complete = complete_store<Format>;
    wave.issue_prepared(false);
  }
};

} // namespace

void register_global_store(OperationTable& table) {
  add_stores<GlobalStore>(table, "global_store_");
}

} // namespace hk::sim
