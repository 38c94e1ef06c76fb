// Counting bits and finding the first one. The searches give -1 if there is nothing to find and leave SCC alone; the
// counts set SCC = result is not zero.
#include <bit>

#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

constexpr std::uint32_t k_not_found = 0xffffffff;

template <typename T>
std::uint32_t count_ones(T a, bool& scc) {
  scc = a != 0;
  return std::uint32_t(std::popcount(a));
}

template <typename T>
std::uint32_t count_zeros(T a, bool& scc) {
  return count_ones(T(~a), scc);
}

template <typename T>
std::uint32_t first_one(T a, bool&) {
  return a == 0 ? k_not_found : std::uint32_t(std::countr_zero(a));
}

template <typename T>
std::uint32_t first_zero(T a, bool& scc) {
  return first_one(T(~a), scc);
}

template <typename T>
std::uint32_t leading_zeros(T a, bool&) {
  return a == 0 ? k_not_found : std::uint32_t(std::countl_zero(a));
}

// How many leading bits equal the sign bit.
template <typename T>
std::uint32_t leading_sign_bits(T a, bool& scc) {
  const bool negative = a >> (sizeof(T) * 8 - 1) != 0;
  return leading_zeros(negative ? T(~a) : a, scc);
}

} // namespace

void register_scalar_bit_count(OperationTable& table) {
  table.add(scalar_operation("s_bcnt0_i32_b32", unary32<count_zeros<std::uint32_t>>));
  table.add(scalar_operation("s_bcnt0_i32_b64", narrow_unary64<count_zeros<std::uint64_t>>));
  table.add(scalar_operation("s_bcnt1_i32_b32", unary32<count_ones<std::uint32_t>>));
  table.add(scalar_operation("s_bcnt1_i32_b64", narrow_unary64<count_ones<std::uint64_t>>));
  table.add(scalar_operation("s_ff0_i32_b32", unary32<first_zero<std::uint32_t>>));
  table.add(scalar_operation("s_ff0_i32_b64", narrow_unary64<first_zero<std::uint64_t>>));
  table.add(scalar_operation("s_ff1_i32_b32", unary32<first_one<std::uint32_t>>));
  table.add(scalar_operation("s_ff1_i32_b64", narrow_unary64<first_one<std::uint64_t>>));
  table.add(scalar_operation("s_flbit_i32_b32", unary32<leading_zeros<std::uint32_t>>));
  table.add(scalar_operation("s_flbit_i32_b64", narrow_unary64<leading_zeros<std::uint64_t>>));
  table.add(scalar_operation("s_flbit_i32", unary32<leading_sign_bits<std::uint32_t>>));
  table.add(scalar_operation("s_flbit_i32_i64", narrow_unary64<leading_sign_bits<std::uint64_t>>));
}

} // namespace hk::sim
