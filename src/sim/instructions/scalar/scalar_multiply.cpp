// Scalar products; none of them changes SCC.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

std::uint32_t low_product(std::uint32_t a, std::uint32_t b, bool&) {
  return a * b;
}

std::uint32_t high_unsigned(std::uint32_t a, std::uint32_t b, bool&) {
  return std::uint32_t(std::uint64_t(a) * b >> 32);
}

std::uint32_t high_signed(std::uint32_t a, std::uint32_t b, bool&) {
  const std::int64_t product = std::int64_t(std::int32_t(a)) * std::int32_t(b);
  return std::uint32_t(std::uint64_t(product) >> 32);
}

void multiply_constant(Wave& wave, const Instruction& instruction) {
  write32(wave, instruction, read32(wave, instruction, 0) * std::uint32_t(signed_immediate(instruction, 1)));
}

} // namespace

void register_scalar_multiply(OperationTable& table) {
  table.add(scalar_operation("s_mul_i32", binary32<low_product>));
  table.add(scalar_operation("s_mul_hi_u32", binary32<high_unsigned>));
  table.add(scalar_operation("s_mul_hi_i32", binary32<high_signed>));
  table.add(scalar_operation("s_mulk_i32", multiply_constant));
}

} // namespace hk::sim
