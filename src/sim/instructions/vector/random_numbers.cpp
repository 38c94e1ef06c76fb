// v_prng_b32: one step of a linear feedback shift register.

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/random_step.h"

namespace hk::sim {

using namespace vector;

void register_random_numbers(OperationTable& table) {
  add_lane_operation<U32(U32)>(table, "v_prng_b32", [](auto a) { return random_step(a); });
}

} // namespace hk::sim
