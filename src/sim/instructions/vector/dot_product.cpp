// Dot products of packed elements, summed in the order of the ISA manual.

#include <cstdint>

#include "sim/instructions/vector/access/packed_operation.h"
#include "sim/instructions/vector/access/saturate.h"

namespace hk::sim {

using namespace vector;

namespace {

// The elements of two sources of a two-element product, with op_sel and negation applied, and the addend.
template <typename Element, typename Addend, typename Function>
void execute_dot2(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  Lanes storage[5];
  Lanes result;
  LoopArguments arguments;
  for (unsigned n = 0; n < 2; ++n) {
    arguments.source[n] = fetch_element<Element>(access, n, false, storage[n]);
    arguments.source[n + 2] = fetch_element<Element>(access, n, true, storage[n + 2]);
  }
  if constexpr (IsNamed<Addend>::value) {
    SourceView view;
    view.negate = is_float(Addend::kind) && ((instruction.modifiers.neg_lo >> 2) & 1) != 0;
    arguments.source[4] = access.source32(3, 2, Addend::kind, view, storage[4]);
  } else {
    arguments.source[4] = access.destination32(0, Addend::kind, storage[4]);
  }
  arguments.result = result.words;
  arguments.mode = access.mode();
  using Result = std::conditional_t<std::is_same_v<typename Addend::Value, float>, F32,
                                    std::conditional_t<Addend::kind == Kind::i32, I32, U32>>;
  run_lanes<Function, Result, Element, Element, Element, Element, Addend>(arguments);
  access.store32(0, Result::result, result.words);
}

// The functions get the low elements, the high elements and the addend.
struct FloatDot {
  float operator()(float a0, float b0, float a1, float b1, float c) const {
    c += a0 * b0;
    return c + a1 * b1;
  }
};
// The three-operand form of bf16 adds the addend last.
struct Bfloat16Dot {
  float operator()(float a0, float b0, float a1, float b1, float c) const {
    const float low = a0 * b0;
    return (low + a1 * b1) + c;
  }
};

template <bool saturating>
struct IntegerDot2 {
  template <typename Element, typename Sum>
  Sum operator()(Element a0, Element b0, Element a1, Element b1, Sum c) const {
    const std::int64_t sum = std::int64_t(a0) * b0 + std::int64_t(a1) * b1 + c;
    return saturating ? saturate<Sum>(sum) : Sum(sum);
  }
};

template <typename Element, typename Addend>
void execute_integer_dot2(Wave& wave, const Instruction& instruction) {
  if (instruction.modifiers.clamp)
    execute_dot2<Element, Addend, IntegerDot2<true>>(wave, instruction);
  else
    execute_dot2<Element, Addend, IntegerDot2<false>>(wave, instruction);
}

// Products of `bits` wide elements of a register.
template <typename Sum, unsigned bits>
std::int64_t integer_dot(std::uint32_t a, std::uint32_t b, Sum c) {
  std::int64_t sum = c;
  for (unsigned at = 0; at < 32; at += bits) {
    if constexpr (std::is_signed_v<Sum>)
      sum += std::int64_t(std::int32_t(a << (32 - bits - at)) >> (32 - bits)) *
             (std::int32_t(b << (32 - bits - at)) >> (32 - bits));
    else
      sum += std::int64_t((a << (32 - bits - at)) >> (32 - bits)) * ((b << (32 - bits - at)) >> (32 - bits));
  }
  return sum;
}

template <typename Addend, unsigned bits>
void add_integer_dot(OperationTable& table, const char* mnemonic) {
  using Sum = Addend::Value;
  using Result = std::conditional_t<Addend::kind == Kind::i32, I32, U32>;
  add_saturating_operation<Result(U32, U32, Addend)>(
      table, mnemonic, [](std::uint32_t a, std::uint32_t b, Sum c) { return Sum(integer_dot<Sum, bits>(a, b, c)); },
      [](std::uint32_t a, std::uint32_t b, Sum c) { return saturate<Sum>(integer_dot<Sum, bits>(a, b, c)); });
}

} // namespace

void register_dot_product(OperationTable& table) {
  table.add(vector_operation("v_dot2_f32_f16", execute_dot2<F16, F32, FloatDot>));
  table.add(vector_operation("v_dot2c_f32_f16", execute_dot2<F16, Destination<F32>, FloatDot>));
  table.add(vector_operation("v_dot2_f32_bf16", execute_dot2<BF16, F32, Bfloat16Dot>));
  table.add(vector_operation("v_dot2c_f32_bf16", execute_dot2<BF16, Destination<F32>, FloatDot>));
  table.add(vector_operation("v_dot2_i32_i16", execute_integer_dot2<I16, I32>));
  table.add(vector_operation("v_dot2_u32_u16", execute_integer_dot2<U16, U32>));
  table.add(vector_operation("v_dot2c_i32_i16", execute_integer_dot2<I16, Destination<I32>>));
  add_integer_dot<I32, 8>(table, "v_dot4_i32_i8");
  add_integer_dot<U32, 8>(table, "v_dot4_u32_u8");
  add_integer_dot<Destination<I32>, 8>(table, "v_dot4c_i32_i8");
  add_integer_dot<I32, 4>(table, "v_dot8_i32_i4");
  add_integer_dot<U32, 4>(table, "v_dot8_u32_u4");
  add_integer_dot<Destination<I32>, 4>(table, "v_dot8c_i32_i4");
}

} // namespace hk::sim
