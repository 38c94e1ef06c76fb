#include <doctest/doctest.h>

#include "sim/vector/lanes.h"

using namespace hk::sim;
using namespace hk::sim::testing;

TEST_CASE("cube map face, coordinates and major axis") {
  VectorCase machine;
  struct Direction {
    float x, y, z, face, s, t, major;
  };
  const Direction directions[] = {
      {5.0F, 1.0F, 2.0F, 0.0F, -2.0F, -1.0F, 10.0F},  {-5.0F, 1.0F, 2.0F, 1.0F, 2.0F, -1.0F, -10.0F},
      {1.0F, 5.0F, 2.0F, 2.0F, 1.0F, 2.0F, 10.0F},    {1.0F, -5.0F, 2.0F, 3.0F, 1.0F, -2.0F, -10.0F},
      {1.0F, 2.0F, 5.0F, 4.0F, 1.0F, -2.0F, 10.0F},   {1.0F, 2.0F, -5.0F, 5.0F, -1.0F, -2.0F, -10.0F},
      {-5.0F, 5.0F, 5.0F, 4.0F, -5.0F, -5.0F, 10.0F},
  };
  for (const Direction& d : directions) {
    CHECK(machine.apply_float("v_cubeid_f32 v0, v1, v2, v3", d.x, d.y, d.z) == bits(d.face));
    CHECK(machine.apply_float("v_cubesc_f32 v0, v1, v2, v3", d.x, d.y, d.z) == bits(d.s));
    CHECK(machine.apply_float("v_cubetc_f32 v0, v1, v2, v3", d.x, d.y, d.z) == bits(d.t));
    CHECK(machine.apply_float("v_cubema_f32 v0, v1, v2, v3", d.x, d.y, d.z) == bits(d.major));
  }
}
