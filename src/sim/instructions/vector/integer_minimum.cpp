// Smallest, largest and middle of two or three integers.

#include <algorithm>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

template <typename T>
T middle(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

// The two-operand forms clear the upper half of a 16-bit result, the three-operand forms keep it.
template <typename Tag, typename ThreeResult = Tag>
void add_selections(OperationTable& table, const std::string& type) {
  using T = Tag::Value;
  add_lane_operation<Tag(Tag, Tag)>(table, "v_min_" + type, [](T a, T b) { return std::min(a, b); });
  add_lane_operation<Tag(Tag, Tag)>(table, "v_max_" + type, [](T a, T b) { return std::max(a, b); });
  add_lane_operation<ThreeResult(Tag, Tag, Tag)>(table, "v_min3_" + type,
                                                 [](T a, T b, T c) { return std::min(std::min(a, b), c); });
  add_lane_operation<ThreeResult(Tag, Tag, Tag)>(table, "v_max3_" + type,
                                                 [](T a, T b, T c) { return std::max(std::max(a, b), c); });
  add_lane_operation<ThreeResult(Tag, Tag, Tag)>(table, "v_med3_" + type,
                                                 [](T a, T b, T c) { return middle(a, b, c); });
}

} // namespace

void register_integer_minimum(OperationTable& table) {
  add_selections<U32>(table, "u32");
  add_selections<I32>(table, "i32");
  add_selections<U16, Low<U16>>(table, "u16");
  add_selections<I16, Low<I16>>(table, "i16");
}

} // namespace hk::sim
