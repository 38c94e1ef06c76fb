// ds_nop does nothing. It takes no place in a counter.

#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

void register_ds_nop(OperationTable& table) {
  add_lds_operation(table, "ds_nop", [](Wave&, const Instruction&) {}, 0, 4);
}

} // namespace hk::sim
