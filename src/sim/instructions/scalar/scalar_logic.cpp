// Scalar bitwise logic; SCC = result is not zero.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

enum class Logic { and_, or_, xor_, and_not, or_not, not_and, not_or, not_xor };

template <typename T, Logic logic>
T combine(T a, T b, bool& scc) {
  T result{};
  switch (logic) {
  case Logic::and_:
    result = a & b;
    break;
  case Logic::or_:
    result = a | b;
    break;
  case Logic::xor_:
    result = a ^ b;
    break;
  case Logic::and_not:
    result = a & ~b;
    break;
  case Logic::or_not:
    result = a | ~b;
    break;
  case Logic::not_and:
    result = ~(a & b);
    break;
  case Logic::not_or:
    result = ~(a | b);
    break;
  case Logic::not_xor:
    result = ~(a ^ b);
    break;
  }
  scc = result != 0;
  return result;
}

template <typename T>
T complement(T a, bool& scc) {
  scc = T(~a) != 0;
  return ~a;
}

template <Logic logic>
void add_both(OperationTable& table, const char* name32, const char* name64) {
  table.add(scalar_operation(name32, binary32<combine<std::uint32_t, logic>>));
  table.add(scalar_operation(name64, binary64<combine<std::uint64_t, logic>>));
}

} // namespace

void register_scalar_logic(OperationTable& table) {
  add_both<Logic::and_>(table, "s_and_b32", "s_and_b64");
  add_both<Logic::or_>(table, "s_or_b32", "s_or_b64");
  add_both<Logic::xor_>(table, "s_xor_b32", "s_xor_b64");
  add_both<Logic::and_not>(table, "s_andn2_b32", "s_andn2_b64");
  add_both<Logic::or_not>(table, "s_orn2_b32", "s_orn2_b64");
  add_both<Logic::not_and>(table, "s_nand_b32", "s_nand_b64");
  add_both<Logic::not_or>(table, "s_nor_b32", "s_nor_b64");
  add_both<Logic::not_xor>(table, "s_xnor_b32", "s_xnor_b64");
  table.add(scalar_operation("s_not_b32", unary32<complement<std::uint32_t>>));
  table.add(scalar_operation("s_not_b64", unary64<complement<std::uint64_t>>));
}

} // namespace hk::sim
