// buffer_wbl2 and buffer_inv. Caches are not modelled, all waves see the same bytes, so neither changes anything; a
// write-back is waited for with vmcnt like a store, an invalidate is not.

#include "sim/instructions/vector_memory/access/operations.h"

namespace hk::sim {

namespace {

void execute_write_back(Wave& wave, const Instruction& instruction) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::vector_memory);
  access.complete = [](Wave&, const PendingAccess&) {};
  wave.issue_prepared(false);
}

void execute_invalidate(Wave&, const Instruction&) {}

} // namespace

void register_cache_control(OperationTable& table) {
  add_vector_memory_operation(table, "buffer_wbl2", execute_write_back, 0, 4);
  add_vector_memory_operation(table, "buffer_inv", execute_invalidate, 0, 4);
}

} // namespace hk::sim
