// global_load_*: vdst, vaddr, saddr or off.

#include "sim/instructions/vector_memory/access/lane_addresses.h"
#include "sim/instructions/vector_memory/access/operations.h"
#include "sim/instructions/vector_memory/access/transfer.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
struct GlobalLoad {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access = prepare_global_access(wave, instruction, instruction.operands[1], instruction.operands[2]);
    if (!check_lane_addresses(wave, *access, Format.bytes, false, false))
      return;
    access->complete = complete_load<Format>;
    wave.issue_prepared(true);
  }
};

} // namespace

void register_global_load(OperationTable& table) {
  add_loads<GlobalLoad>(table, "global_load_");
}

} // namespace hk::sim
