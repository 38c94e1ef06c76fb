// Bit fields, byte permutation and alignment.

#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

std::uint32_t low_bits(std::uint32_t count) {
  return (1U << (count & 31)) - 1U;
}

std::int32_t extract_signed(std::uint32_t a, std::uint32_t offset, std::uint32_t width) {
  const std::uint32_t field = (a >> (offset & 31)) & low_bits(width);
  const std::uint32_t sign = (width & 31) == 0 ? 0U : 1U << ((width & 31) - 1U);
  return std::int32_t((field ^ sign) - sign);
}

// One byte of v_perm_b32: 0..7 pick a byte of {a, b} (0 is the lowest byte of b), 8..11 the sign of a half word,
// 12 is 0x00, everything above 0xff.
// In 32-bit steps, so that eight lanes at a time fit the host's vectors.
std::uint32_t permuted_byte(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint32_t picked = (((selector & 4) != 0 ? a : b) >> ((selector & 3) * 8)) & 0xffU;
  const std::uint32_t half_words = (selector & 2) != 0 ? a : b;
  const std::uint32_t sign = (0U - ((half_words >> ((selector & 1) * 16 + 15)) & 1U)) & 0xffU;
  const std::uint32_t constant = selector == 12 ? 0U : 0xffU;
  return selector < 8 ? picked : selector < 12 ? sign : constant;
}

std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t selectors) {
  std::uint32_t result = 0;
  for (unsigned byte = 0; byte < 4; ++byte)
    result |= permuted_byte(a, b, (selectors >> (8 * byte)) & 0xffU) << (8 * byte);
  return result;
}

} // namespace

void register_vector_bit_field(OperationTable& table) {
  add_lane_operation<U32(U32, U32, U32)>(
      table, "v_bfe_u32", [](auto a, auto offset, auto width) { return (a >> (offset & 31)) & low_bits(width); });
  add_lane_operation<I32(U32, U32, U32)>(
      table, "v_bfe_i32", [](auto a, auto offset, auto width) { return extract_signed(a, offset, width); });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_bfi_b32",
                                         [](auto mask, auto a, auto b) { return (mask & a) | (~mask & b); });
  add_lane_operation<U32(U32, U32)>(table, "v_bfm_b32",
                                    [](auto width, auto offset) { return low_bits(width) << (offset & 31); });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_perm_b32",
                                         [](auto a, auto b, auto selectors) { return permute_bytes(a, b, selectors); });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_alignbit_b32", [](auto a, auto b, auto count) {
    return std::uint32_t(((std::uint64_t(a) << 32) | b) >> (count & 31));
  });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_alignbyte_b32", [](auto a, auto b, auto count) {
    return std::uint32_t(((std::uint64_t(a) << 32) | b) >> ((count & 3) * 8));
  });
  add_lane_operation<U32(Raw<F16>, Raw<F16>)>(table, "v_pack_b32_f16", [](auto a, auto b) { return a | (b << 16); });
}

} // namespace hk::sim
