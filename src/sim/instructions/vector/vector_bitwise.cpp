// Bitwise logic.

#include <cstdint>

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim {

using namespace vector;

namespace {

// Bit i of the result is bit {a[i], b[i], c[i]} of the truth table, which the text gives as bitop3:value.
std::uint32_t truth_table(std::uint32_t table, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t result = 0;
  for (unsigned entry = 0; entry < 8; ++entry) {
    const std::uint32_t match = ((entry & 4) != 0 ? a : ~a) & ((entry & 2) != 0 ? b : ~b) & ((entry & 1) != 0 ? c : ~c);
    result |= (table >> entry) & 1U ? match : 0U;
  }
  return result;
}

template <typename Tag>
void execute_bitop3(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  Lanes storage[3];
  Lanes result;
  const std::uint32_t* source[3];
  for (unsigned n = 0; n < 3; ++n)
    source[n] = access.source32(n + 1, n, Tag::kind, storage[n]);
  for (int lane = 0; lane < k_wave_size; ++lane)
    result.words[lane] = truth_table(instruction.modifiers.bitop3, source[0][lane], source[1][lane], source[2][lane]);
  access.store32(0, Tag::result, result.words);
}

} // namespace

void register_vector_bitwise(OperationTable& table) {
  add_lane_operation<U32(U32)>(table, "v_not_b32", [](auto a) { return ~a; });
  add_lane_operation<U32(U32, U32)>(table, "v_and_b32", [](auto a, auto b) { return a & b; });
  add_lane_operation<U32(U32, U32)>(table, "v_or_b32", [](auto a, auto b) { return a | b; });
  add_lane_operation<U32(U32, U32)>(table, "v_xor_b32", [](auto a, auto b) { return a ^ b; });
  add_lane_operation<U32(U32, U32)>(table, "v_xnor_b32", [](auto a, auto b) { return ~(a ^ b); });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_and_or_b32", [](auto a, auto b, auto c) { return (a & b) | c; });
  add_lane_operation<U32(U32, U32, U32)>(table, "v_or3_b32", [](auto a, auto b, auto c) { return a | b | c; });
  table.add(vector_operation("v_bitop3_b32", execute_bitop3<U32>));
  table.add(vector_operation("v_bitop3_b16", execute_bitop3<Low<U16>>));
}

} // namespace hk::sim
