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
  return pack_mask(result.words) & access.lanes();
}

template <bool writes_exec, typename Function, typename... Sources>
void execute_compare(Wave& wave, const Instruction& instruction) {
  LaneAccess access(wave, instruction);
  const std::uint64_t mask = compare_lanes<Function, Sources...>(access, std::index_sequence_for<Sources...>());
  access.store_mask(0, mask);
  if constexpr (writes_exec)
    wave.set_exec(mask);
}

// `suffix` is what follows "v_cmp_" and "v_cmpx_".
template <typename... Sources, typename Function>
void add_compare(OperationTable& table, const std::string& suffix, Function) {
  table.add(vector_operation("v_cmp_" + suffix, execute_compare<false, Function, Sources...>));
  Operation with_exec = vector_operation("v_cmpx_" + suffix, execute_compare<true, Function, Sources...>);
  with_exec.implies_exec = true;
  table.add(std::move(with_exec));
}

} // namespace hk::sim::vector
