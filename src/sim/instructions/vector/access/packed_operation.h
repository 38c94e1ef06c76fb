#pragma once
// Registration of operations on packed pairs (VOP3P): two f16 or 16-bit integers in a register, or two f32 in a pair of
// registers. op_sel and op_sel_hi choose which element of each source goes into the low and the high result, neg_lo and
// neg_hi negate it.

#include "sim/instructions/vector/access/lane_operation.h"
#include "sim/instructions/vector/access/output_modifiers.h"

namespace hk::sim::vector {

// Element `high` of source `number` as the modifiers select it.
inline SourceView element_view(const Modifiers& modifiers, unsigned number, Kind kind, bool high) {
  SourceView view;
  const bool upper = (((high ? modifiers.op_sel_hi : modifiers.op_sel) >> number) & 1) != 0;
  if (kind == Kind::f32)
    view.dword = upper ? 1 : 0;
  else if (upper)
    view.select = Selection::word_1;
  view.negate = is_float(kind) && (((high ? modifiers.neg_hi : modifiers.neg_lo) >> number) & 1) != 0;
  return view;
}

template <typename Tag>
const void* fetch_element(LaneAccess& access, unsigned number, bool high, Lanes& storage) {
  if constexpr (IsNamed<Tag>::value) {
    const SourceView view = element_view(access.instruction().modifiers, number, Tag::kind, high);
    return access.source32(number + 1, number, Tag::kind, view, storage);
  } else {
    SourceView view;
    view.select = high ? Selection::word_1 : Selection::dword;
    return access.source32(0, number, Tag::kind, view, storage);
  }
}

template <typename Function, typename Result, typename... Sources, std::size_t... n>
void compute_element(LaneAccess& access, bool high, Lanes& result, std::index_sequence<n...>) {
  Lanes storage[sizeof...(Sources)];
  LoopArguments arguments;
  ((arguments.source[n] = fetch_element<Sources>(access, unsigned(n), high, storage[n])), ...);
  arguments.result = result.words;
  arguments.mode = access.mode();
  run_lanes<Function, Result, Sources...>(arguments);
  if constexpr (is_float(Result::kind))
    apply_output_modifiers(result.words, Result::kind, access.instruction().modifiers, access.mode());
}

template <typename Signature, typename Function>
struct PackedExecutor;
template <typename Result, typename... Sources, typename Function>
struct PackedExecutor<Result(Sources...), Function> {
  static void execute(Wave& wave, const Instruction& instruction) {
    LaneAccess access(wave, instruction);
    Lanes result[2];
    for (unsigned element = 0; element < 2; ++element)
      compute_element<Function, Result, Sources...>(access, element == 1, result[element],
                                                    std::index_sequence_for<Sources...>());
    if constexpr (Result::kind == Kind::f32) {
      access.store_register(0, 0, result[0].words);
      access.store_register(0, 1, result[1].words);
    } else {
      for (int lane = 0; lane < k_wave_size; ++lane)
        result[0].words[lane] = (result[0].words[lane] & 0xffffU) | (result[1].words[lane] << 16);
      access.store_register(0, 0, result[0].words);
    }
  }
};

// The quick way of packed f32: op_sel and op_sel_hi choose registers of the pairs, and there is no other modifier.
inline const std::uint32_t* plain_element(const Wave& wave, const Operand& operand, bool upper, Lanes& storage) {
  Operand element = operand;
  element.index = std::uint16_t(operand.index + (upper && operand.registers > 1 ? 1 : 0));
  return plain_source<Kind::f32>(wave, element, storage);
}

template <typename Function, typename... Sources, std::size_t... n>
void execute_plain_packed_of(Wave& wave, const Instruction& instruction, std::index_sequence<n...>) {
  Lanes storage[sizeof...(Sources)];
  Lanes result[2];
  LoopArguments arguments;
  arguments.mode = float_mode(wave.mode);
  for (unsigned element = 0; element < 2; ++element) {
    const unsigned choice = element == 0 ? instruction.modifiers.op_sel : instruction.modifiers.op_sel_hi;
    ((arguments.source[n] = plain_element(wave, instruction.operands[n + 1], ((choice >> n) & 1) != 0, storage[n])),
     ...);
    arguments.result = result[element].words;
    LaneLoop<Function, F32, Sources...>::run(arguments);
  }
  std::uint32_t (*target)[k_wave_size] = wave.vector + instruction.operands[0].index;
  store_lanes(target[0], result[0].words, wave.exec());
  store_lanes(target[1], result[1].words, wave.exec());
}

template <typename Signature, typename Function>
struct PlainPackedExecutor {
  static constexpr Execute plain() { return nullptr; }
};
template <typename... Sources, typename Function>
struct PlainPackedExecutor<F32(Sources...), Function> {
  static void execute(Wave& wave, const Instruction& instruction) {
    if (!is_usual_mode<F32>(wave.mode)) [[unlikely]]
      return PackedExecutor<F32(Sources...), Function>::execute(wave, instruction);
    execute_plain_packed_of<Function, Sources...>(wave, instruction, std::index_sequence_for<Sources...>());
  }
  static constexpr Execute plain() { return execute; }
};

template <typename Signature, typename Function>
void add_packed_operation(OperationTable& table, std::string mnemonic, Function) {
  Operation operation = vector_operation(std::move(mnemonic), PackedExecutor<Signature, Function>::execute);
  operation.plain_execute = PlainPackedExecutor<Signature, Function>::plain();
  operation.plain_with_op_sel = true;
  table.add(std::move(operation));
}

template <typename Signature, typename Function, typename Saturating>
void execute_packed_saturating(Wave& wave, const Instruction& instruction) {
  if (instruction.modifiers.clamp)
    PackedExecutor<Signature, Saturating>::execute(wave, instruction);
  else
    PackedExecutor<Signature, Function>::execute(wave, instruction);
}

template <typename Signature, typename Function, typename Saturating>
void add_packed_saturating_operation(OperationTable& table, std::string mnemonic, Function, Saturating) {
  table.add(vector_operation(std::move(mnemonic), execute_packed_saturating<Signature, Function, Saturating>));
}

} // namespace hk::sim::vector
