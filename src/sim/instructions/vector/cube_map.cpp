// Cube map coordinates of a direction (x, y, z): face, position on it, major axis.

#include <cmath>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

enum class Axis { x, y, z };

Axis major_axis(float x, float y, float z) {
  if (std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y))
    return Axis::z;
  return std::fabs(y) >= std::fabs(x) ? Axis::y : Axis::x;
}

float face(float x, float y, float z) {
  switch (major_axis(x, y, z)) {
  case Axis::z:
    return z < 0.0F ? 5.0F : 4.0F;
  case Axis::y:
    return y < 0.0F ? 3.0F : 2.0F;
  case Axis::x:
    break;
  }
  return x < 0.0F ? 1.0F : 0.0F;
}

float s_coordinate(float x, float y, float z) {
  switch (major_axis(x, y, z)) {
  case Axis::z:
    return z < 0.0F ? -x : x;
  case Axis::y:
    return x;
  case Axis::x:
    break;
  }
  return x < 0.0F ? z : -z;
}

float t_coordinate(float x, float y, float z) {
  if (major_axis(x, y, z) != Axis::y)
    return -y;
  return y < 0.0F ? -z : z;
}

float twice_major(float x, float y, float z) {
  switch (major_axis(x, y, z)) {
  case Axis::z:
    return z * 2.0F;
  case Axis::y:
    return y * 2.0F;
  case Axis::x:
    break;
  }
  return x * 2.0F;
}

} // namespace

void register_cube_map(OperationTable& table) {
  using Result = Exact<F32>;
  add_lane_operation<Result(F32, F32, F32)>(table, "v_cubeid_f32",
                                            [](float x, float y, float z) { return face(x, y, z); });
  add_lane_operation<Result(F32, F32, F32)>(table, "v_cubesc_f32",
                                            [](float x, float y, float z) { return s_coordinate(x, y, z); });
  add_lane_operation<Result(F32, F32, F32)>(table, "v_cubetc_f32",
                                            [](float x, float y, float z) { return t_coordinate(x, y, z); });
  add_lane_operation<F32(F32, F32, F32)>(table, "v_cubema_f32",
                                         [](float x, float y, float z) { return twice_major(x, y, z); });
}

} // namespace hk::sim
