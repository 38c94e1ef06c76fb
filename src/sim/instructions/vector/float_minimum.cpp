// Smallest, largest and middle of floating-point numbers.

#include "sim/instructions/vector/access/float_order.h"
#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

template <typename Tag, typename Layout>
void add_two_operand_selections(OperationTable& table, const std::string& type) {
  using Bits = Tag::Value;
  add_lane_operation<Tag(Tag, Tag)>(table, "v_min_" + type, [](const FloatMode& mode, Bits a, Bits b) {
    return select_number<Layout, false>(mode.ieee, a, b);
  });
  add_lane_operation<Tag(Tag, Tag)>(table, "v_max_" + type, [](const FloatMode& mode, Bits a, Bits b) {
    return select_number<Layout, true>(mode.ieee, a, b);
  });
}

template <typename Result, typename Tag, typename Layout>
void add_three_operand_selections(OperationTable& table, const std::string& type) {
  using Bits = Tag::Value;
  add_lane_operation<Result(Tag, Tag, Tag)>(table, "v_min3_" + type, [](const FloatMode& mode, Bits a, Bits b, Bits c) {
    return select_number<Layout, false>(mode.ieee, select_number<Layout, false>(mode.ieee, a, b), c);
  });
  add_lane_operation<Result(Tag, Tag, Tag)>(table, "v_max3_" + type, [](const FloatMode& mode, Bits a, Bits b, Bits c) {
    return select_number<Layout, true>(mode.ieee, select_number<Layout, true>(mode.ieee, a, b), c);
  });
  add_lane_operation<Result(Tag, Tag, Tag)>(table, "v_med3_" + type, [](const FloatMode& mode, Bits a, Bits b, Bits c) {
    return select_middle<Layout>(mode.ieee, a, b, c);
  });
}

} // namespace

void register_float_minimum(OperationTable& table) {
  add_two_operand_selections<Raw<F32>, FloatLayout32>(table, "f32");
  add_two_operand_selections<Raw<F16>, HalfLayout>(table, "f16");
  add_two_operand_selections<Raw<F64>, FloatLayout64>(table, "f64");
  add_three_operand_selections<Raw<F32>, Raw<F32>, FloatLayout32>(table, "f32");
  add_three_operand_selections<Low<Raw<F16>>, Raw<F16>, HalfLayout>(table, "f16");

  using Bits = std::uint32_t;
  add_lane_operation<Raw<F32>(Raw<F32>, Raw<F32>, Raw<F32>)>(table, "v_minimum3_f32", [](Bits a, Bits b, Bits c) {
    return select_or_nan<FloatLayout32, false>(select_or_nan<FloatLayout32, false>(a, b), c);
  });
  add_lane_operation<Raw<F32>(Raw<F32>, Raw<F32>, Raw<F32>)>(table, "v_maximum3_f32", [](Bits a, Bits b, Bits c) {
    return select_or_nan<FloatLayout32, true>(select_or_nan<FloatLayout32, true>(a, b), c);
  });
}

} // namespace hk::sim
