// Clocks, which return like scalar loads, and the upkeep of the scalar cache.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

// The wave's own issue clocks: they only grow, but waves do not share them.
void read_clock(Wave& wave, const PendingAccess& access) {
  wave.set_scalar64(access.destination.first, wave.issue_clocks);
}

// Counts at 100 MHz, about one for 21 engine clocks.
void read_real_time(Wave& wave, const PendingAccess& access) {
  wave.set_scalar64(access.destination.first, wave.issue_clocks / 21);
}

template <void (*complete)(Wave&, const PendingAccess&)>
void issue_clock_read(Wave& wave, const Instruction& instruction) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  access.scalar = true;
  access.complete = complete;
  wave.issue_prepared(true);
}

// Scalar loads go straight to memory here, so there is nothing to invalidate or write back.
void keep_cache(Wave&, const Instruction&) {}

Operation memory_operation(const char* mnemonic, Execute execute, std::uint8_t destinations) {
  Operation operation = scalar_operation(mnemonic, execute, destinations);
  operation.operation_class = OperationClass::scalar_memory;
  return operation;
}

} // namespace

void register_scalar_time(OperationTable& table) {
  table.add(memory_operation("s_memtime", issue_clock_read<read_clock>, 1));
  table.add(memory_operation("s_memrealtime", issue_clock_read<read_real_time>, 1));
  table.add(memory_operation("s_dcache_inv", keep_cache, 0));
  table.add(memory_operation("s_dcache_inv_vol", keep_cache, 0));
  table.add(memory_operation("s_dcache_wb", keep_cache, 0));
  table.add(memory_operation("s_dcache_wb_vol", keep_cache, 0));
}

} // namespace hk::sim
