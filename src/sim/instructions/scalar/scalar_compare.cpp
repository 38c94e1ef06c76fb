// Scalar comparisons; the result is SCC.
#include <functional>

#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

template <typename T, typename Predicate>
void compare32(Wave& wave, const Instruction& instruction) {
  wave.scc = Predicate()(T(read32(wave, instruction, 0)), T(read32(wave, instruction, 1)));
}

template <typename Predicate>
void compare64(Wave& wave, const Instruction& instruction) {
  wave.scc = Predicate()(read64(wave, instruction, 0), read64(wave, instruction, 1));
}

template <typename Predicate>
void compare_signed_constant(Wave& wave, const Instruction& instruction) {
  wave.scc = Predicate()(std::int32_t(read32(wave, instruction, 0)), signed_immediate(instruction, 1));
}

template <typename Predicate>
void compare_unsigned_constant(Wave& wave, const Instruction& instruction) {
  wave.scc = Predicate()(read32(wave, instruction, 0), unsigned_immediate(instruction, 1));
}

template <bool value>
void compare_bit32(Wave& wave, const Instruction& instruction) {
  wave.scc = ((read32(wave, instruction, 0) >> (read32(wave, instruction, 1) & 31) & 1) != 0) == value;
}

template <bool value>
void compare_bit64(Wave& wave, const Instruction& instruction) {
  wave.scc = ((read64(wave, instruction, 0) >> (read32(wave, instruction, 1) & 63) & 1) != 0) == value;
}

template <template <typename> typename Predicate>
void add_comparison(OperationTable& table, const std::string& name) {
  table.add(scalar_operation(("s_cmp_" + name + "_i32").c_str(), compare32<std::int32_t, Predicate<std::int32_t>>, 0));
  table.add(
      scalar_operation(("s_cmp_" + name + "_u32").c_str(), compare32<std::uint32_t, Predicate<std::uint32_t>>, 0));
  table.add(scalar_operation(("s_cmpk_" + name + "_i32").c_str(), compare_signed_constant<Predicate<std::int32_t>>, 0));
  table.add(
      scalar_operation(("s_cmpk_" + name + "_u32").c_str(), compare_unsigned_constant<Predicate<std::uint32_t>>, 0));
}

} // namespace

void register_scalar_compare(OperationTable& table) {
  add_comparison<std::equal_to>(table, "eq");
  add_comparison<std::not_equal_to>(table, "lg");
  add_comparison<std::greater>(table, "gt");
  add_comparison<std::greater_equal>(table, "ge");
  add_comparison<std::less>(table, "lt");
  add_comparison<std::less_equal>(table, "le");
  table.add(scalar_operation("s_cmp_eq_u64", compare64<std::equal_to<std::uint64_t>>, 0));
  table.add(scalar_operation("s_cmp_lg_u64", compare64<std::not_equal_to<std::uint64_t>>, 0));
  table.add(scalar_operation("s_bitcmp0_b32", compare_bit32<false>, 0));
  table.add(scalar_operation("s_bitcmp1_b32", compare_bit32<true>, 0));
  table.add(scalar_operation("s_bitcmp0_b64", compare_bit64<false>, 0));
  table.add(scalar_operation("s_bitcmp1_b64", compare_bit64<true>, 0));
}

} // namespace hk::sim
