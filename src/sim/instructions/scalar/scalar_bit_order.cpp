// Rearranging bits: reversal, quad masks, replication.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

template <typename T>
T reverse(T a, bool&) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i, a >>= 1)
    result = (result << 1) | (a & 1);
  return result;
}

// Bit i of the result: whether any of the bits 4i..4i+3 is set.
template <typename T>
T quad_mask(T a, bool& scc) {
  T result = 0;
  for (unsigned quad = 0; quad < sizeof(T) * 2; ++quad)
    result |= T((a >> (quad * 4)) & 0xf) != 0 ? T{1} << quad : T{0};
  scc = result != 0;
  return result;
}

// All four bits of every quad that has one set.
template <typename T>
T whole_quad_mode(T a, bool& scc) {
  T result = 0;
  for (unsigned quad = 0; quad < sizeof(T) * 2; ++quad)
    result |= T((a >> (quad * 4)) & 0xf) != 0 ? T{0xf} << (quad * 4) : T{0};
  scc = result != 0;
  return result;
}

void replicate_bits(Wave& wave, const Instruction& instruction) {
  const std::uint32_t a = read32(wave, instruction, 1);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i)
    result |= (a >> i & 1) != 0 ? std::uint64_t{3} << (2 * i) : 0;
  write64(wave, instruction, result);
}

} // namespace

void register_scalar_bit_order(OperationTable& table) {
  table.add(scalar_operation("s_brev_b32", unary32<reverse<std::uint32_t>>));
  table.add(scalar_operation("s_brev_b64", unary64<reverse<std::uint64_t>>));
  table.add(scalar_operation("s_quadmask_b32", unary32<quad_mask<std::uint32_t>>));
  table.add(scalar_operation("s_quadmask_b64", unary64<quad_mask<std::uint64_t>>));
  table.add(scalar_operation("s_wqm_b32", unary32<whole_quad_mode<std::uint32_t>>));
  table.add(scalar_operation("s_wqm_b64", unary64<whole_quad_mode<std::uint64_t>>));
  table.add(scalar_operation("s_bitreplicate_b64_b32", replicate_bits));
}

} // namespace hk::sim
