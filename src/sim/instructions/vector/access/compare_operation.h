#pragma once
// Registration of compares: v_cmp_<...> writes a scalar register pair, v_cmpx_<...> the pair and EXEC.

#include "sim/instructions/vector/access/lane_operation.h"

namespace hk::sim::vector {

// Runs the lane function, which gives a bool, and returns the mask of the executed lanes that hold.
template <typename Function, typename... Sources, std::size_t... n>
std::uint64_t compare_lanes(LaneAccess& access, std::index_sequence<n...>) {
  Lanes storage[sizeof...(Sources)];
  Lanes result;
  LoopArguments arguments;
  ((arguments.source[n] = fetch<Sources>(access, unsigned(n) + 1, unsigned(n), storage[n])), ...);
  arguments.result = result.words;
  arguments.mode = access.mode();
  LaneLoop<Function, U32, Sources...>::run(arguments);
  return pack_lane_mask(result.words) & access.lanes();
}

template <bool writes_exec, typename Function, typename... Sources>
void execute_compare(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  const std::uint64_t mask = compare_lanes<Function, Sources...>(access, std::index_sequence_for<Sources...>());
  access.store_mask(0, mask);
  if constexpr (writes_exec)
    wave.set_exec(mask);
}

// The same for instructions without modifiers.
template <bool writes_exec, typename Function, typename... Sources, std::size_t... n>
void execute_plain_compare_of(Wave& wave, const Instruction& instruction, std::index_sequence<n...>) {
  Lanes storage[sizeof...(Sources)];
  Lanes result;
  LoopArguments arguments;
  ((arguments.source[n] = plain_source<Sources::kind>(wave, instruction.operands[n + 1], storage[n])), ...);
  arguments.result = result.words;
  arguments.mode = float_mode(wave.mode);
  LaneLoop<Function, U32, Sources...>::run(arguments);
  const std::uint64_t mask = pack_lane_mask(result.words) & wave.exec();
  wave.set_scalar64(instruction.operands[0].index, mask);
  if constexpr (writes_exec)
    wave.set_exec(mask);
}

template <bool writes_exec, typename Function, typename... Sources>
void execute_plain_compare(Wave& wave, const Instruction& instruction) {
  if (!is_usual_mode<Sources...>(wave.mode)) [[unlikely]]
    return execute_compare<writes_exec, Function, Sources...>(wave, instruction);
  execute_plain_compare_of<writes_exec, Function, Sources...>(wave, instruction, std::index_sequence_for<Sources...>());
}

template <bool writes_exec, typename Function, typename... Sources>
Operation compare_operation(std::string mnemonic) {
  Operation operation = vector_operation(std::move(mnemonic), execute_compare<writes_exec, Function, Sources...>);
  if constexpr (k_can_be_plain<U32, Sources...>)
    operation.plain_execute = execute_plain_compare<writes_exec, Function, Sources...>;
  operation.implies_exec = writes_exec;
  return operation;
}

// `suffix` is what follows "v_cmp_" and "v_cmpx_".
template <typename... Sources, typename Function>
void add_compare(OperationTable& table, const std::string& suffix, Function) {
  table.add(compare_operation<false, Function, Sources...>("v_cmp_" + suffix));
  table.add(compare_operation<true, Function, Sources...>("v_cmpx_" + suffix));
}

} // namespace hk::sim::vector
