// Shifts; the count is taken modulo the width, as far as the hardware looks at it.

#include <algorithm>
#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

// Two arithmetic shifts whose results saturate to 8 bits and are packed.
template <std::int32_t lowest, std::int32_t highest>
std::uint16_t shift_and_pack(std::int32_t a, std::int32_t b, std::uint32_t count) {
  const std::int32_t low = std::clamp(a >> (count & 31), lowest, highest);
  const std::int32_t high = std::clamp(b >> (count & 31), lowest, highest);
  return std::uint16_t((low & 0xff) | (high & 0xff) << 8);
}

} // namespace

void register_vector_shift(OperationTable& table) {
  // "rev": source 0 is the count.
  add_lane_operation<U32(U32, U32)>(table, "v_lshlrev_b32", [](auto count, auto a) { return a << (count & 31); });
  add_lane_operation<U32(U32, U32)>(table, "v_lshrrev_b32", [](auto count, auto a) { return a >> (count & 31); });
  add_lane_operation<I32(U32, I32)>(table, "v_ashrrev_i32", [](auto count, auto a) { return a >> (count & 31); });
  add_lane_operation<U16(U16, U16)>(table, "v_lshlrev_b16",
                                    [](auto count, auto a) { return std::uint16_t(std::uint32_t(a) << (count & 15)); });
  add_lane_operation<U16(U16, U16)>(table, "v_lshrrev_b16",
                                    [](auto count, auto a) { return std::uint16_t(a >> (count & 15)); });
  add_lane_operation<I16(U16, I16)>(table, "v_ashrrev_i16",
                                    [](auto count, auto a) { return std::int16_t(a >> (count & 15)); });
  add_lane_operation<U64(U32, U64)>(table, "v_lshlrev_b64", [](auto count, auto a) { return a << (count & 63); });
  add_lane_operation<U64(U32, U64)>(table, "v_lshrrev_b64", [](auto count, auto a) { return a >> (count & 63); });
  add_lane_operation<I64(U32, I64)>(table, "v_ashrrev_i64", [](auto count, auto a) { return a >> (count & 63); });

  add_lane_operation<U32(U32, U32, U32)>(table, "v_lshl_add_u32",
                                         [](auto a, auto count, auto b) { return (a << (count & 31)) + b; });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_lshl_or_b32",
                                         [](auto a, auto count, auto b) { return (a << (count & 31)) | b; });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_add_lshl_u32",
                                         [](auto a, auto b, auto count) { return (a + b) << (count & 31); });
  add_lane_operation<U64(U64, U32, U64)>(table, "v_lshl_add_u64",
                                         [](auto a, auto count, auto b) { return (a << (count & 7)) + b; });

  const auto to_signed = [](std::int32_t a, std::int32_t b, std::uint32_t count) {
    return shift_and_pack<-128, 127>(a, b, count);
  };
  const auto to_unsigned = [](std::int32_t a, std::int32_t b, std::uint32_t count) {
    return shift_and_pack<0, 255>(a, b, count);
  };
  add_lane_operation<Low<U16>(I32, I32, U32)>(table, "v_ashr_pk_i8_i32", to_signed);
  add_lane_operation<Low<U16>(I32, I32, U32)>(table, "v_ashr_pk_u8_i32", to_unsigned);
}

} // namespace hk::sim
