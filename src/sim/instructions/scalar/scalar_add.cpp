// Scalar sums and differences. Formulas and SCC: CDNA3 ISA, sections SOP2, SOPK and SOP1.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

bool sign(std::uint32_t value) {
  return value >> 31 != 0;
}

std::uint32_t add_unsigned(std::uint32_t a, std::uint32_t b, bool& scc) {
  scc = (std::uint64_t(a) + b) >> 32 != 0;
  return a + b;
}

std::uint32_t subtract_unsigned(std::uint32_t a, std::uint32_t b, bool& scc) {
  scc = b > a;
  return a - b;
}

// SCC is the signed overflow here.
std::uint32_t add_signed(std::uint32_t a, std::uint32_t b, bool& scc) {
  const std::uint32_t sum = a + b;
  scc = sign(a) == sign(b) && sign(a) != sign(sum);
  return sum;
}

std::uint32_t subtract_signed(std::uint32_t a, std::uint32_t b, bool& scc) {
  const std::uint32_t difference = a - b;
  scc = sign(a) != sign(b) && sign(a) != sign(difference);
  return difference;
}

std::uint32_t add_with_carry(std::uint32_t a, std::uint32_t b, bool& scc) {
  const std::uint64_t sum = std::uint64_t(a) + b + (scc ? 1 : 0);
  scc = sum >> 32 != 0;
  return std::uint32_t(sum);
}

std::uint32_t subtract_with_borrow(std::uint32_t a, std::uint32_t b, bool& scc) {
  const std::uint32_t borrow = scc ? 1 : 0;
  scc = std::uint64_t(b) + borrow > a;
  return a - b - borrow;
}

template <unsigned shift>
std::uint32_t shift_left_add(std::uint32_t a, std::uint32_t b, bool& scc) {
  const std::uint64_t sum = (std::uint64_t(a) << shift) + b;
  scc = sum >> 32 != 0;
  return std::uint32_t(sum);
}

std::uint32_t magnitude(std::uint32_t value) {
  return sign(value) ? 0 - value : value;
}

std::uint32_t absolute(std::uint32_t a, bool& scc) {
  const std::uint32_t result = magnitude(a);
  scc = result != 0;
  return result;
}

std::uint32_t absolute_difference(std::uint32_t a, std::uint32_t b, bool& scc) {
  return absolute(a - b, scc);
}

void add_constant(Wave& wave, const Instruction& instruction) {
  const std::uint32_t a = read32(wave, instruction, 0);
  write32(wave, instruction, add_signed(a, std::uint32_t(signed_immediate(instruction, 1)), wave.scc));
}

} // namespace

void register_scalar_add(OperationTable& table) {
  table.add(scalar_operation("s_add_u32", binary32<add_unsigned>));
  table.add(scalar_operation("s_sub_u32", binary32<subtract_unsigned>));
  table.add(scalar_operation("s_add_i32", binary32<add_signed>));
  table.add(scalar_operation("s_sub_i32", binary32<subtract_signed>));
  table.add(scalar_operation("s_addc_u32", binary32<add_with_carry>));
  table.add(scalar_operation("s_subb_u32", binary32<subtract_with_borrow>));
  table.add(scalar_operation("s_lshl1_add_u32", binary32<shift_left_add<1>>));
  table.add(scalar_operation("s_lshl2_add_u32", binary32<shift_left_add<2>>));
  table.add(scalar_operation("s_lshl3_add_u32", binary32<shift_left_add<3>>));
  table.add(scalar_operation("s_lshl4_add_u32", binary32<shift_left_add<4>>));
  table.add(scalar_operation("s_abs_i32", unary32<absolute>));
  table.add(scalar_operation("s_absdiff_i32", binary32<absolute_difference>));
  table.add(scalar_operation("s_addk_i32", add_constant));
}

} // namespace hk::sim
