// Integer products, and products with a sum.

#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/saturate.h"

namespace hk::sim {

using namespace vector;

namespace {

std::uint32_t low24(std::uint32_t a) {
  return a & 0xffffffU;
}
std::int32_t signed24(std::int32_t a) {
  return std::int32_t(std::uint32_t(a) << 8) >> 8;
}

std::int64_t product24(std::int32_t a, std::int32_t b) {
  return std::int64_t(signed24(a)) * signed24(b);
}
std::uint64_t product24(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t(low24(a)) * low24(b);
}

void register_products(OperationTable& table) {
  const auto low = [](std::uint32_t a, std::uint32_t b) { return a * b; };
  add_lane_operation<U32(U32, U32)>(table, "v_mul_lo_u32", low);
  add_lane_operation<U32(U32, U32)>(table, "v_mul_lo_i32", low);
  add_lane_operation<U32(U32, U32)>(table, "v_mul_hi_u32",
                                    [](auto a, auto b) { return std::uint32_t((std::uint64_t(a) * b) >> 32); });
  add_lane_operation<I32(I32, I32)>(table, "v_mul_hi_i32",
                                    [](auto a, auto b) { return std::int32_t((std::int64_t(a) * b) >> 32); });
  add_lane_operation<U16(U16, U16)>(table, "v_mul_lo_u16",
                                    [](auto a, auto b) { return std::uint16_t(std::uint32_t(a) * b); });
  add_lane_operation<U32(U32, U32)>(table, "v_mul_u32_u24",
                                    [](auto a, auto b) { return std::uint32_t(product24(a, b)); });
  add_lane_operation<I32(I32, I32)>(table, "v_mul_i32_i24",
                                    [](auto a, auto b) { return std::int32_t(product24(a, b)); });
  add_lane_operation<U32(U32, U32)>(table, "v_mul_hi_u32_u24",
                                    [](auto a, auto b) { return std::uint32_t(product24(a, b) >> 32); });
  add_lane_operation<I32(I32, I32)>(table, "v_mul_hi_i32_i24",
                                    [](auto a, auto b) { return std::int32_t(product24(a, b) >> 32); });
}

void register_products_with_sum(OperationTable& table) {
  add_saturating_operation<U32(U32, U32, U32)>(
      table, "v_mad_u32_u24", [](auto a, auto b, auto c) { return std::uint32_t(product24(a, b)) + c; },
      [](auto a, auto b, auto c) { return saturate<std::uint32_t>(std::int64_t(product24(a, b)) + c); });
  add_saturating_operation<I32(I32, I32, I32)>(
      table, "v_mad_i32_i24", [](auto a, auto b, auto c) { return std::int32_t(product24(a, b) + c); },
      [](auto a, auto b, auto c) { return saturate<std::int32_t>(product24(a, b) + c); });
  add_saturating_operation<U32(U16, U16, U32)>(
      table, "v_mad_u32_u16", [](auto a, auto b, auto c) { return std::uint32_t(a) * b + c; },
      [](auto a, auto b, auto c) { return saturate<std::uint32_t>(std::int64_t(a) * b + c); });
  add_saturating_operation<I32(I16, I16, I32)>(
      table, "v_mad_i32_i16", [](auto a, auto b, auto c) { return std::int32_t(std::int64_t(a) * b + c); },
      [](auto a, auto b, auto c) { return saturate<std::int32_t>(std::int64_t(a) * b + c); });

  const auto low_u16 = [](std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    return std::uint16_t(std::uint32_t(a) * b + c);
  };
  const auto saturated_u16 = [](std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    return saturate<std::uint16_t>(std::int64_t(a) * b + c);
  };
  const auto low_i16 = [](std::int16_t a, std::int16_t b, std::int16_t c) { return std::int16_t(a * b + c); };
  const auto saturated_i16 = [](std::int16_t a, std::int16_t b, std::int16_t c) {
    return saturate<std::int16_t>(std::int64_t(a) * b + c);
  };
  add_saturating_operation<Low<U16>(U16, U16, U16)>(table, "v_mad_u16", low_u16, saturated_u16);
  add_saturating_operation<Low<I16>(I16, I16, I16)>(table, "v_mad_i16", low_i16, saturated_i16);
  add_saturating_operation<U16(U16, U16, U16)>(table, "v_mad_legacy_u16", low_u16, saturated_u16);
  add_saturating_operation<I16(I16, I16, I16)>(table, "v_mad_legacy_i16", low_i16, saturated_i16);

  // The flag is the carry out of 64 bits.
  add_carry_operation<U64(U32, U32, U64)>(table, "v_mad_u64_u32",
                                          [](std::uint32_t a, std::uint32_t b, std::uint64_t c, std::uint32_t& carry) {
                                            const std::uint64_t sum = std::uint64_t(a) * b + c;
                                            carry = sum < c ? 1U : 0U;
                                            return sum;
                                          });
  // The flag is bit 64 of the 65-bit sum: its sign.
  add_carry_operation<I64(I32, I32, I64)>(
      table, "v_mad_i64_i32", [](std::int32_t a, std::int32_t b, std::int64_t c, std::uint32_t& sign) {
        const std::int64_t product = std::int64_t(a) * b;
        const std::int64_t sum = std::int64_t(std::uint64_t(product) + std::uint64_t(c));
        const bool overflow = ((product ^ sum) & (c ^ sum)) < 0;
        sign = (sum < 0) != overflow ? 1U : 0U;
        return sum;
      });
}

} // namespace

void register_integer_multiply(OperationTable& table) {
  register_products(table);
  register_products_with_sum(table);
}

} // namespace hk::sim
