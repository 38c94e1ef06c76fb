// v_cmp and v_cmpx of floating-point numbers. The predicates with an N are the negations: with a NaN they hold.

#include "sim/instructions/vector/access/compare_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

template <typename Tag>
void add_compares(OperationTable& table, const std::string& type) {
  add_compare<Tag, Tag>(table, "f_" + type, [](auto, auto) { return false; });
  add_compare<Tag, Tag>(table, "lt_" + type, [](auto a, auto b) { return a < b; });
  add_compare<Tag, Tag>(table, "eq_" + type, [](auto a, auto b) { return a == b; });
  add_compare<Tag, Tag>(table, "le_" + type, [](auto a, auto b) { return a <= b; });
  add_compare<Tag, Tag>(table, "gt_" + type, [](auto a, auto b) { return a > b; });
  add_compare<Tag, Tag>(table, "lg_" + type, [](auto a, auto b) { return a < b || a > b; });
  add_compare<Tag, Tag>(table, "ge_" + type, [](auto a, auto b) { return a >= b; });
  add_compare<Tag, Tag>(table, "o_" + type, [](auto a, auto b) { return a == a && b == b; });
  add_compare<Tag, Tag>(table, "u_" + type, [](auto a, auto b) { return a != a || b != b; });
  add_compare<Tag, Tag>(table, "nge_" + type, [](auto a, auto b) { return !(a >= b); });
  add_compare<Tag, Tag>(table, "nlg_" + type, [](auto a, auto b) { return !(a < b || a > b); });
  add_compare<Tag, Tag>(table, "ngt_" + type, [](auto a, auto b) { return !(a > b); });
  add_compare<Tag, Tag>(table, "nle_" + type, [](auto a, auto b) { return !(a <= b); });
  add_compare<Tag, Tag>(table, "neq_" + type, [](auto a, auto b) { return !(a == b); });
  add_compare<Tag, Tag>(table, "nlt_" + type, [](auto a, auto b) { return !(a < b); });
  add_compare<Tag, Tag>(table, "tru_" + type, [](auto, auto) { return true; });
}

} // namespace

void register_compare_float(OperationTable& table) {
  add_compares<F32>(table, "f32");
  add_compares<F16>(table, "f16");
  add_compares<F64>(table, "f64");
}

} // namespace hk::sim
