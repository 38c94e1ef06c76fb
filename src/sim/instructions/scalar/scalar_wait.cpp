// Waiting for counters, idling, priority, cache upkeep.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

// SIMM16: vmcnt in bits 15:14 and 3:0, expcnt in 6:4, lgkmcnt in 11:8. Compute kernels export nothing, so expcnt is
// met.
void wait_counters(Wave& wave, const Instruction& instruction) {
  const std::uint32_t immediate = unsigned_immediate(instruction, 0);
  if (wave.pending.empty())
    return;
  wave.wait_vector_memory((immediate & 0xf) | ((immediate >> 14) << 4));
  wave.wait_lds_and_scalar((immediate >> 8) & 0xf);
}

// Nothing that a program can observe, besides time.
void idle(Wave&, const Instruction&) {}

void sleep(Wave& wave, const Instruction& instruction) {
  wave.yields = (unsigned_immediate(instruction, 0) & 0x7f) != 0;
}

void set_priority(Wave& wave, const Instruction& instruction) {
  wave.priority = std::uint8_t(unsigned_immediate(instruction, 0) & 3);
}

Operation control(const char* mnemonic, Execute execute) {
  Operation operation = scalar_operation(mnemonic, execute, 0);
  operation.operation_class = OperationClass::branch;
  return operation;
}

} // namespace

void register_scalar_wait(OperationTable& table) {
  table.add(control("s_waitcnt", wait_counters));
  table.add(control("s_nop", idle));
  table.add(control("s_sleep", sleep));
  table.add(control("s_setprio", set_priority));
  table.add(control("s_wakeup", idle));       // sleeping waves are looked at again anyway
  table.add(control("s_icache_inv", idle));   // code never changes
  table.add(control("s_incperflevel", idle)); // performance counters and traces do not exist
  table.add(control("s_decperflevel", idle));
  table.add(control("s_ttracedata", idle));
}

} // namespace hk::sim
