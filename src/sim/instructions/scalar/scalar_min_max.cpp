// Scalar minimum and maximum. SCC says whether the first value was selected: for equal values the manual's formulas
// select the second for min (S0 < S1) and the first for max (S0 >= S1).
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

template <typename T>
std::uint32_t minimum(std::uint32_t a, std::uint32_t b, bool& scc) {
  scc = T(a) < T(b);
  return scc ? a : b;
}

template <typename T>
std::uint32_t maximum(std::uint32_t a, std::uint32_t b, bool& scc) {
  scc = T(a) >= T(b);
  return scc ? a : b;
}

} // namespace

void register_scalar_min_max(OperationTable& table) {
  table.add(scalar_operation("s_min_i32", binary32<minimum<std::int32_t>>));
  table.add(scalar_operation("s_min_u32", binary32<minimum<std::uint32_t>>));
  table.add(scalar_operation("s_max_i32", binary32<maximum<std::int32_t>>));
  table.add(scalar_operation("s_max_u32", binary32<maximum<std::uint32_t>>));
}

} // namespace hk::sim
