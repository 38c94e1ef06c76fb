// v_pk_* of 16-bit integers.

#include <algorithm>
#include <cstdint>

#include "sim/instructions/vector/access/packed_operation.h"
#include "sim/instructions/vector/access/saturate.h"

namespace hk::sim {

using namespace vector;

namespace {

template <typename Tag>
void add_arithmetic(OperationTable& table, const std::string& type) {
  using T = Tag::Value;
  add_packed_saturating_operation<Tag(Tag, Tag)>(
      table, "v_pk_add_" + type, [](T a, T b) { return T(a + b); },
      [](T a, T b) { return saturate<T>(std::int64_t(a) + b); });
  add_packed_saturating_operation<Tag(Tag, Tag)>(
      table, "v_pk_sub_" + type, [](T a, T b) { return T(a - b); },
      [](T a, T b) { return saturate<T>(std::int64_t(a) - b); });
  add_packed_saturating_operation<Tag(Tag, Tag, Tag)>(
      table, "v_pk_mad_" + type, [](T a, T b, T c) { return T(std::int64_t(a) * b + c); },
      [](T a, T b, T c) { return saturate<T>(std::int64_t(a) * b + c); });
  add_packed_operation<Tag(Tag, Tag)>(table, "v_pk_min_" + type, [](T a, T b) { return std::min(a, b); });
  add_packed_operation<Tag(Tag, Tag)>(table, "v_pk_max_" + type, [](T a, T b) { return std::max(a, b); });
}

} // namespace

void register_packed_integer(OperationTable& table) {
  add_arithmetic<U16>(table, "u16");
  add_arithmetic<I16>(table, "i16");
  add_packed_operation<U16(U16, U16)>(table, "v_pk_mul_lo_u16",
                                      [](auto a, auto b) { return std::uint16_t(std::uint32_t(a) * b); });
  add_packed_operation<U16(U16, U16)>(
      table, "v_pk_lshlrev_b16", [](auto count, auto a) { return std::uint16_t(std::uint32_t(a) << (count & 15)); });
  add_packed_operation<U16(U16, U16)>(table, "v_pk_lshrrev_b16",
                                      [](auto count, auto a) { return std::uint16_t(a >> (count & 15)); });
  add_packed_operation<I16(U16, I16)>(table, "v_pk_ashrrev_i16",
                                      [](auto count, auto a) { return std::int16_t(a >> (count & 15)); });
}

} // namespace hk::sim
