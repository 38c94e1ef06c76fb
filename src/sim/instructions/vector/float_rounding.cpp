// Rounding to whole numbers and fractions, independent of the MODE rounding.

#include <cmath>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

// x - floor(x), below 1 also for tiny negative x ("CDNA3 ISA" gives the difference; the hardware never returns 1).
template <typename T>
T fraction(T x, T largest_below_one) {
  const T difference = x - std::floor(x);
  return difference > largest_below_one ? largest_below_one : difference;
}

template <typename Tag>
void add_roundings(OperationTable& table, const std::string& type) {
  using Result = Exact<Tag>;
  add_lane_operation<Result(Tag)>(table, "v_trunc_" + type, [](auto x) { return std::trunc(x); });
  add_lane_operation<Result(Tag)>(table, "v_ceil_" + type, [](auto x) { return std::ceil(x); });
  add_lane_operation<Result(Tag)>(table, "v_floor_" + type, [](auto x) { return std::floor(x); });
  // No host rounding is set for an Exact result, so this is to nearest even.
  add_lane_operation<Result(Tag)>(table, "v_rndne_" + type, [](auto x) { return std::nearbyint(x); });
}

} // namespace

void register_float_rounding(OperationTable& table) {
  add_roundings<F32>(table, "f32");
  add_roundings<F16>(table, "f16");
  add_roundings<F64>(table, "f64");
  add_lane_operation<F32(F32)>(table, "v_fract_f32", [](float x) { return fraction(x, 0x1.fffffep-1F); });
  add_lane_operation<F16(F16)>(table, "v_fract_f16", [](float x) { return fraction(x, 0x1.ffcp-1F); });
  add_lane_operation<F64(F64)>(table, "v_fract_f64", [](double x) { return fraction(x, 0x1.fffffffffffffp-1); });
}

} // namespace hk::sim
