// Scalar shifts; only the low 5 or 6 bits of the count matter, SCC = result is not zero.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

std::uint32_t left32(std::uint32_t a, std::uint32_t count, bool& scc) {
  const std::uint32_t result = a << (count & 31);
  scc = result != 0;
  return result;
}

std::uint32_t right32(std::uint32_t a, std::uint32_t count, bool& scc) {
  const std::uint32_t result = a >> (count & 31);
  scc = result != 0;
  return result;
}

std::uint32_t arithmetic_right32(std::uint32_t a, std::uint32_t count, bool& scc) {
  const std::int32_t result = std::int32_t(a) >> (count & 31);
  scc = result != 0;
  return std::uint32_t(result);
}

std::uint64_t left64(std::uint64_t a, std::uint32_t count, bool& scc) {
  const std::uint64_t result = a << (count & 63);
  scc = result != 0;
  return result;
}

std::uint64_t right64(std::uint64_t a, std::uint32_t count, bool& scc) {
  const std::uint64_t result = a >> (count & 63);
  scc = result != 0;
  return result;
}

std::int64_t arithmetic_right64(std::int64_t a, std::uint32_t count, bool& scc) {
  const std::int64_t result = a >> (count & 63);
  scc = result != 0;
  return result;
}

} // namespace

void register_scalar_shift(OperationTable& table) {
  table.add(scalar_operation("s_lshl_b32", binary32<left32>));
  table.add(scalar_operation("s_lshr_b32", binary32<right32>));
  table.add(scalar_operation("s_ashr_i32", binary32<arithmetic_right32>));
  table.add(scalar_operation("s_lshl_b64", wide_by_32<left64>));
  table.add(scalar_operation("s_lshr_b64", wide_by_32<right64>));
  table.add(scalar_operation("s_ashr_i64", signed_wide_by_32<arithmetic_right64>));
}

} // namespace hk::sim
