// Integer addition and subtraction, with carries and with saturation under `clamp`.

#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/saturate.h"

namespace hk::sim {

using namespace vector;

namespace {

template <typename Tag, typename Result = Tag>
void add_sums(OperationTable& table, const std::string& type) {
  using T = Tag::Value;
  add_saturating_operation<Result(Tag, Tag)>(
      table, "v_add_" + type, [](T a, T b) { return T(std::uint32_t(a) + std::uint32_t(b)); },
      [](T a, T b) { return saturate<T>(std::int64_t(a) + b); });
  add_saturating_operation<Result(Tag, Tag)>(
      table, "v_sub_" + type, [](T a, T b) { return T(std::uint32_t(a) - std::uint32_t(b)); },
      [](T a, T b) { return saturate<T>(std::int64_t(a) - b); });
}

template <typename Tag>
void add_reversed_difference(OperationTable& table, const std::string& type) {
  using T = Tag::Value;
  add_saturating_operation<Tag(Tag, Tag)>(
      table, "v_subrev_" + type, [](T a, T b) { return T(std::uint32_t(b) - std::uint32_t(a)); },
      [](T a, T b) { return saturate<T>(std::int64_t(b) - a); });
}

std::uint32_t add_with_carry(std::uint32_t a, std::uint32_t b, std::uint32_t carry_in, std::uint32_t& carry) {
  const std::uint64_t sum = std::uint64_t(a) + b + carry_in;
  carry = std::uint32_t(sum >> 32);
  return std::uint32_t(sum);
}

std::uint32_t subtract_with_borrow(std::uint32_t a, std::uint32_t b, std::uint32_t borrow_in, std::uint32_t& borrow) {
  const std::uint64_t difference = std::uint64_t(a) - b - borrow_in;
  borrow = std::uint32_t(difference >> 63);
  return std::uint32_t(difference);
}

} // namespace

void register_integer_add(OperationTable& table) {
  add_sums<U32>(table, "u32");
  add_sums<U16>(table, "u16");
  add_sums<I32>(table, "i32");
  add_sums<I16, Low<I16>>(table, "i16");
  add_reversed_difference<U32>(table, "u32");
  add_reversed_difference<U16>(table, "u16");
  add_lane_operation<U32(U32, U32, U32)>(table, "v_add3_u32", [](auto a, auto b, auto c) { return a + b + c; });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_xad_u32", [](auto a, auto b, auto c) { return (a ^ b) + c; });

  using Word = std::uint32_t;
  add_carry_operation<U32(U32, U32)>(table, "v_add_co_u32",
                                     [](Word a, Word b, Word& carry) { return add_with_carry(a, b, 0, carry); });
  add_carry_operation<U32(U32, U32)>(
      table, "v_sub_co_u32", [](Word a, Word b, Word& borrow) { return subtract_with_borrow(a, b, 0, borrow); });
  add_carry_operation<U32(U32, U32)>(
      table, "v_subrev_co_u32", [](Word a, Word b, Word& borrow) { return subtract_with_borrow(b, a, 0, borrow); });
  add_carry_operation<U32(U32, U32, LaneMask)>(
      table, "v_addc_co_u32", [](Word a, Word b, Word in, Word& carry) { return add_with_carry(a, b, in, carry); });
  add_carry_operation<U32(U32, U32, LaneMask)>(table, "v_subb_co_u32", [](Word a, Word b, Word in, Word& borrow) {
    return subtract_with_borrow(a, b, in, borrow);
  });
  add_carry_operation<U32(U32, U32, LaneMask)>(table, "v_subbrev_co_u32", [](Word a, Word b, Word in, Word& borrow) {
    return subtract_with_borrow(b, a, in, borrow);
  });
}

} // namespace hk::sim
