// Bit fields: extract, mask, set one bit, sign extension, packing of halves.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

std::uint64_t low_mask(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

// The field's width is in bits 22:16 of S1, its first bit in the low 5 or 6. A width past the end takes what is there.
std::uint32_t field_width(std::uint32_t b) {
  return (b >> 16) & 0x7f;
}

std::int64_t extend_sign(std::uint64_t field, std::uint32_t width) {
  if (width == 0 || width >= 64)
    return std::int64_t(field);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return std::int64_t((field ^ sign) - sign);
}

std::uint32_t extract_unsigned32(std::uint32_t a, std::uint32_t b, bool& scc) {
  const auto field = std::uint32_t((a >> (b & 31)) & low_mask(field_width(b)));
  scc = field != 0;
  return field;
}

std::uint32_t extract_signed32(std::uint32_t a, std::uint32_t b, bool& scc) {
  const std::uint64_t shifted = std::uint32_t(std::int32_t(a) >> (b & 31));
  const auto field = std::uint32_t(extend_sign(shifted & low_mask(field_width(b)), field_width(b)));
  scc = field != 0;
  return field;
}

std::uint64_t extract_unsigned64(std::uint64_t a, std::uint32_t b, bool& scc) {
  const std::uint64_t field = (a >> (b & 63)) & low_mask(field_width(b));
  scc = field != 0;
  return field;
}

std::int64_t extract_signed64(std::int64_t a, std::uint32_t b, bool& scc) {
  const auto shifted = std::uint64_t(a >> (b & 63));
  const std::int64_t field = extend_sign(shifted & low_mask(field_width(b)), field_width(b));
  scc = field != 0;
  return field;
}

std::uint32_t mask32(std::uint32_t width, std::uint32_t first, bool&) {
  return ((1U << (width & 31)) - 1) << (first & 31);
}

// Both sources are 32 bits wide, the mask is 64.
void mask64(Wave& wave, const Instruction& instruction) {
  const std::uint32_t width = read32(wave, instruction, 1) & 63;
  const std::uint32_t first = read32(wave, instruction, 2) & 63;
  write64(wave, instruction, low_mask(width) << first);
}

template <bool value>
void set_bit32(Wave& wave, const Instruction& instruction) {
  const std::uint32_t bit = 1U << (read32(wave, instruction, 1) & 31);
  const std::uint32_t old = read32(wave, instruction, 0);
  write32(wave, instruction, value ? old | bit : old & ~bit);
}

template <bool value>
void set_bit64(Wave& wave, const Instruction& instruction) {
  const std::uint64_t bit = std::uint64_t{1} << (read32(wave, instruction, 1) & 63);
  const std::uint64_t old = read64(wave, instruction, 0);
  write64(wave, instruction, value ? old | bit : old & ~bit);
}

template <typename Narrow>
std::uint32_t sign_extend(std::uint32_t a, bool&) {
  return std::uint32_t(std::int32_t(Narrow(a)));
}

template <unsigned shift_a, unsigned shift_b>
std::uint32_t pack(std::uint32_t a, std::uint32_t b, bool&) {
  return ((a >> shift_a) & 0xffff) | ((b >> shift_b) << 16);
}

} // namespace

void register_scalar_bit_field(OperationTable& table) {
  table.add(scalar_operation("s_bfe_u32", binary32<extract_unsigned32>));
  table.add(scalar_operation("s_bfe_i32", binary32<extract_signed32>));
  table.add(scalar_operation("s_bfe_u64", wide_by_32<extract_unsigned64>));
  table.add(scalar_operation("s_bfe_i64", signed_wide_by_32<extract_signed64>));
  table.add(scalar_operation("s_bfm_b32", binary32<mask32>));
  table.add(scalar_operation("s_bfm_b64", mask64));
  table.add(scalar_operation("s_bitset0_b32", set_bit32<false>));
  table.add(scalar_operation("s_bitset1_b32", set_bit32<true>));
  table.add(scalar_operation("s_bitset0_b64", set_bit64<false>));
  table.add(scalar_operation("s_bitset1_b64", set_bit64<true>));
  table.add(scalar_operation("s_sext_i32_i8", unary32<sign_extend<std::int8_t>>));
  table.add(scalar_operation("s_sext_i32_i16", unary32<sign_extend<std::int16_t>>));
  table.add(scalar_operation("s_pack_ll_b32_b16", binary32<pack<0, 0>>));
  table.add(scalar_operation("s_pack_lh_b32_b16", binary32<pack<0, 16>>));
  table.add(scalar_operation("s_pack_hh_b32_b16", binary32<pack<16, 16>>));
}

} // namespace hk::sim
