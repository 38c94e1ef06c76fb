#include <doctest/doctest.h>

#include "sim/vector/lanes.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("f32 sums and products") {
  VectorCase machine;
  CHECK(machine.apply_float("v_add_f32_e32 v0, v1, v2", 1.5F, 2.25F) == bits(3.75F));
}
