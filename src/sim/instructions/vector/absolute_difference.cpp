// Sums of absolute differences and the average of bytes.

#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

std::uint32_t difference(std::uint32_t a, std::uint32_t b) {
  return a > b ? a - b : b - a;
}

// The sum over the elements of `bits` width. With `masked`, bytes of b that are 0 do not count.
template <unsigned bits, bool masked>
std::uint32_t sum_of_differences(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t element = (1U << bits) - 1U;
  std::uint32_t sum = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    const std::uint32_t x = (a >> at) & element;
    const std::uint32_t y = (b >> at) & element;
    sum += masked && y == 0 ? 0U : difference(x, y);
  }
  return sum;
}

std::uint32_t average_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t round_up) {
  std::uint32_t result = 0;
  for (unsigned at = 0; at < 32; at += 8)
    result |= ((((a >> at) & 0xff) + ((b >> at) & 0xff) + ((round_up >> at) & 1)) >> 1) << at;
  return result;
}

// The four sums of b with the bytes of a from 0, 1, 2 and 3 on, each added to 16 bits of c.
template <bool masked>
std::uint64_t quad_sums(std::uint64_t a, std::uint32_t b, std::uint64_t c) {
  std::uint64_t result = 0;
  for (unsigned n = 0; n < 4; ++n) {
    const std::uint32_t sum = sum_of_differences<8, masked>(std::uint32_t(a >> (8 * n)), b);
    result |= ((sum + (c >> (16 * n))) & 0xffff) << (16 * n);
  }
  return result;
}

// The same into four registers.
void execute_wide_quad_sums(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  Lanes a_storage;
  Lanes b_storage;
  const std::uint64_t* a = access.source64(1, 0, Kind::u64, a_storage);
  const std::uint32_t* b = access.source32(2, 1, Kind::u32, b_storage);
  Lanes result[4];
  for (unsigned n = 0; n < 4; ++n) {
    Lanes c_storage;
    SourceView view;
    view.dword = std::uint8_t(n);
    const std::uint32_t* c = access.source32(3, 2, Kind::u32, view, c_storage);
    for (int lane = 0; lane < k_wave_size; ++lane)
      result[n].words[lane] = c[lane] + sum_of_differences<8, true>(std::uint32_t(a[lane] >> (8 * n)), b[lane]);
  }
  for (unsigned n = 0; n < 4; ++n)
    access.store_register(0, n, result[n].words);
}

} // namespace

void register_absolute_difference(OperationTable& table) {
  add_lane_operation<U32(U32, U32, U32)>(table, "v_sad_u8",
                                         [](auto a, auto b, auto c) { return sum_of_differences<8, false>(a, b) + c; });
  add_lane_operation<U32(U32, U32, U32)>(
      table, "v_sad_hi_u8", [](auto a, auto b, auto c) { return (sum_of_differences<8, false>(a, b) << 16) + c; });
  add_lane_operation<U32(U32, U32, U32)>(
      table, "v_sad_u16", [](auto a, auto b, auto c) { return sum_of_differences<16, false>(a, b) + c; });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_sad_u32",
                                         [](auto a, auto b, auto c) { return difference(a, b) + c; });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_msad_u8",
                                         [](auto a, auto b, auto c) { return sum_of_differences<8, true>(a, b) + c; });
  add_lane_operation<U64(U64, U32, U64)>(table, "v_qsad_pk_u16_u8",
                                         [](auto a, auto b, auto c) { return quad_sums<false>(a, b, c); });
  add_lane_operation<U64(U64, U32, U64)>(table, "v_mqsad_pk_u16_u8",
                                         [](auto a, auto b, auto c) { return quad_sums<true>(a, b, c); });
  table.add(vector_operation("v_mqsad_u32_u8", execute_wide_quad_sums));
  add_lane_operation<U32(U32, U32, U32)>(table, "v_lerp_u8",
                                         [](auto a, auto b, auto c) { return average_bytes(a, b, c); });
}

} // namespace hk::sim
