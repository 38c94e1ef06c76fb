// global_load_lds_*: vaddr, saddr or off. gfx950 adds the 3 and 4 dword forms.

#include "sim/instructions/vector_memory/access/lane_addresses.h"
#include "sim/instructions/vector_memory/access/load_to_lds.h"
#include "sim/instructions/vector_memory/access/operations.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
struct GlobalLoadToLds {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access = prepare_global_access(wave, instruction, instruction.operands[0], instruction.operands[1]);
    if (!set_lds_destination(wave, *access, Format) || !check_lane_addresses(wave, *access, Format.bytes, false, false))
      return;
    access->complete = complete_load_to_lds<Format>;
    wave.issue_prepared(false);
  }
};

} // namespace

void register_global_load_lds(OperationTable& table) {
  add_loads_to_lds<GlobalLoadToLds>(table, "global_load_lds_");
}

} // namespace hk::sim
