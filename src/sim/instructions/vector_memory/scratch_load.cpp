// scratch_load_*: vdst, vaddr or off, saddr or off. scratch_load_lds_*: without vdst.

#include "sim/instructions/vector_memory/access/lane_addresses.h"
#include "sim/instructions/vector_memory/access/load_to_lds.h"
#include "sim/instructions/vector_memory/access/operations.h"
#include "sim/instructions/vector_memory/access/transfer.h"

namespace hk::sim {

namespace {

template <ElementFormat Format>
struct ScratchLoad {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access =
        prepare_scratch_access(wave, instruction, instruction.operands[1], instruction.operands[2], Format.bytes);
    if (access == nullptr || !check_lane_addresses(wave, *access, Format.bytes, false, false))
      return;
    access->complete = complete_load<Format>;
    wave.issue_prepared(true);
  }
};

template <ElementFormat Format>
struct ScratchLoadToLds {
  static void execute(Wave& wave, const Instruction& instruction) {
    PendingAccess* access =
        prepare_scratch_access(wave, instruction, instruction.operands[0], instruction.operands[1], Format.bytes);
    if (access == nullptr || !set_lds_destination(wave, *access, Format) ||
        !check_lane_addresses(wave, *access, Format.bytes, false, false))
      return;
    access->complete = complete_load_to_lds<Format>;
    wave.issue_prepared(false);
  }
};

} // namespace

void register_scratch_load(OperationTable& table) {
  add_loads<ScratchLoad>(table, "scratch_load_");
  add_loads_to_lds<ScratchLoadToLds>(table, "scratch_load_lds_");
}

} // namespace hk::sim
