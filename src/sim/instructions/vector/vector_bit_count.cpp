// Counting, finding and reversing bits; counting lanes below this one.

#include <bit>
#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

std::uint32_t reverse_bits(std::uint32_t a) {
  a = ((a >> 1) & 0x55555555U) | ((a & 0x55555555U) << 1);
  a = ((a >> 2) & 0x33333333U) | ((a & 0x33333333U) << 2);
  a = ((a >> 4) & 0x0f0f0f0fU) | ((a & 0x0f0f0f0fU) << 4);
  a = ((a >> 8) & 0x00ff00ffU) | ((a & 0x00ff00ffU) << 8);
  return (a >> 16) | (a << 16);
}

} // namespace

void register_vector_bit_count(OperationTable& table) {
  add_lane_operation<U32(U32, U32)>(table, "v_bcnt_u32_b32",
                                    [](auto a, auto b) { return std::uint32_t(std::popcount(a)) + b; });
  add_lane_operation<U32(U32)>(table, "v_bfrev_b32", [](auto a) { return reverse_bits(a); });
  // From the top bit: the first one; -1 if there is none.
  add_lane_operation<I32(U32)>(table, "v_ffbh_u32", [](auto a) { return a == 0 ? -1 : std::countl_zero(a); });
  add_lane_operation<I32(U32)>(table, "v_ffbl_b32", [](auto a) { return a == 0 ? -1 : std::countr_zero(a); });
  // From the top bit: the first that differs from the sign.
  add_lane_operation<I32(I32)>(table, "v_ffbh_i32", [](auto a) {
    const std::uint32_t differs = std::uint32_t(a ^ (a >> 31));
    return differs == 0 ? -1 : std::countl_zero(differs);
  });
  // Bits of the mask that belong to lower lanes, of the lower or the upper 32.
  add_lane_operation<U32(U32, U32, LaneNumber)>(table, "v_mbcnt_lo_u32_b32", [](auto mask, auto b, auto lane) {
    const std::uint32_t below = lane >= 32 ? ~0U : (1U << lane) - 1U;
    return std::uint32_t(std::popcount(mask & below)) + b;
  });
  add_lane_operation<U32(U32, U32, LaneNumber)>(table, "v_mbcnt_hi_u32_b32", [](auto mask, auto b, auto lane) {
    const std::uint32_t below = lane < 32 ? 0U : (1U << (lane - 32U)) - 1U;
    return std::uint32_t(std::popcount(mask & below)) + b;
  });
}

} // namespace hk::sim
