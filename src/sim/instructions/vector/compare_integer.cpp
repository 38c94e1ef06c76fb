// v_cmp and v_cmpx of integers.

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
  add_compare<Tag, Tag>(table, "ne_" + type, [](auto a, auto b) { return a != b; });
  add_compare<Tag, Tag>(table, "ge_" + type, [](auto a, auto b) { return a >= b; });
  add_compare<Tag, Tag>(table, "t_" + type, [](auto, auto) { return true; });
}

} // namespace

void register_compare_integer(OperationTable& table) {
  add_compares<U16>(table, "u16");
  add_compares<I16>(table, "i16");
  add_compares<U32>(table, "u32");
  add_compares<I32>(table, "i32");
  add_compares<U64>(table, "u64");
  add_compares<I64>(table, "i64");
}

} // namespace hk::sim
