#pragma once
// Registration of operations that compute every lane on its own. Example:
//
//   add_lane_operation<U32(U32, U32)>(table, "v_add_u32", [](auto a, auto b) { return a + b; });
//
// The signature names the result and the sources in the order of the instruction text; the tags are in lane_types.h.

#include <string>
#include <utility>

#include "sim/instructions/vector/access/lane_loop.h"
#include "sim/instructions/vector/access/plain_operation.h"
#include "sim/machine/operation.h"

namespace hk::sim::vector {

// Fetches source `number`; `position` is its operand.
template <typename Tag>
const void* fetch(LaneAccess& access, unsigned position, unsigned number, Lanes& storage) {
  if constexpr (std::is_same_v<Tag, Vcc>) {
    expand_lane_mask(access.wave().vcc(), storage.words);
    return storage.words;
  } else if constexpr (std::is_same_v<Tag, LaneNumber>) {
    return lane_numbers();
  } else if constexpr (std::is_same_v<Tag, LaneMask>) {
    return access.mask_source(position, storage);
  } else if constexpr (!IsNamed<Tag>::value) {
    if constexpr (is_double_word(Tag::kind))
      return access.destination64(0, Tag::kind, storage);
    else
      return access.destination32(0, Tag::kind, storage);
  } else if constexpr (is_double_word(Tag::kind)) {
    return access.source64(position, number, Tag::kind, storage);
  } else {
    return access.source32(position, number, Tag::kind, storage);
  }
}

template <typename Tag>
void store(LaneAccess& access, unsigned position, Lanes& result) {
  if constexpr (is_double_word(Tag::kind))
    access.store64(position, Tag::result, result.wide);
  else
    access.store32(position, Tag::result, result.words);
}

template <typename Tag>
Rounding rounding_of(const FloatMode& mode) {
  if (!Tag::result.rounds)
    return Rounding::nearest_even;
  return Tag::kind == Kind::f32 ? mode.rounding32 : mode.rounding64;
}

// Runs the loop under the rounding that the result asks for.
template <typename Function, typename Result, typename... Sources>
void run_lanes(const LoopArguments& arguments) {
  using Loop = LaneLoop<Function, Result, Sources...>;
  const Rounding rounding = rounding_of<Result>(arguments.mode);
  if (rounding == Rounding::nearest_even) {
    Loop::run(arguments);
    return;
  }
  const ScopedRounding scope(rounding);
  Loop::run(arguments);
}

// Flags, one bit per lane, go to the scalar register pair that is the second destination; bits of lanes that are not
// executed become 0.
enum class Flags : std::uint8_t { none, second_destination };

template <Flags use, typename Function, typename Result, typename... Sources, std::size_t... n>
void execute_lanes(LaneAccess& access, std::index_sequence<n...>) {
  constexpr unsigned first_source = use == Flags::second_destination ? 2 : 1;
  constexpr bool named[] = {IsNamed<Sources>::value..., false};
  constexpr auto position = [](std::size_t source) {
    unsigned at = first_source;
    for (std::size_t i = 0; i < source; ++i)
      at += named[i];
    return at;
  };
  Lanes storage[sizeof...(Sources) + 1];
  Lanes result;
  Lanes flags;
  LoopArguments arguments;
  ((arguments.source[n] = fetch<Sources>(access, position(n), unsigned(n), storage[n])), ...);
  arguments.result = &result;
  arguments.flags = flags.words;
  arguments.mode = access.mode();
  run_lanes<Function, Result, Sources...>(arguments);
  store<Result>(access, 0, result);
  if constexpr (use == Flags::second_destination)
    access.store_mask(1, pack_lane_mask(flags.words) & access.lanes());
}

template <Flags use, typename Signature, typename Function>
struct LaneExecutor;
template <Flags use, typename Result, typename... Sources, typename Function>
struct LaneExecutor<use, Result(Sources...), Function> {
  static constexpr bool k_flags = use == Flags::second_destination;

  static void execute(Wave& wave, const Instruction& instruction) {
    LaneAccess access(wave, instruction);
    execute_lanes<use, Function, Result, Sources...>(access, std::index_sequence_for<Sources...>());
  }
  static void execute_plain(Wave& wave, const Instruction& instruction) {
    if (!is_usual_mode<Result, Sources...>(wave.mode)) [[unlikely]]
      return execute(wave, instruction);
    PlainExecutor<Function, Result, Sources...>::template execute<k_flags>(wave, instruction);
  }
  // What Operation::plain_execute is; null if the operation has no quick way.
  static constexpr Execute plain() {
    if constexpr (k_can_be_plain<Result, Sources...>)
      return execute_plain;
    else
      return nullptr;
  }
};

// `clamp` chooses the second function: saturation of integers.
template <typename Signature, typename Function, typename Saturating>
void execute_saturating(Wave& wave, const Instruction& instruction) {
  if (instruction.modifiers.clamp)
    LaneExecutor<Flags::none, Signature, Saturating>::execute(wave, instruction);
  else
    LaneExecutor<Flags::none, Signature, Function>::execute(wave, instruction);
}

constexpr std::uint16_t k_vector_issue_clocks = 4;
constexpr std::uint16_t k_transcendental_issue_clocks = 16; // quarter rate

inline Operation vector_operation(std::string mnemonic, Execute execute, std::uint8_t destinations = 1) {
  Operation operation;
  operation.mnemonic = std::move(mnemonic);
  operation.execute = execute;
  operation.operation_class = OperationClass::vector;
  operation.destinations = destinations;
  operation.issue_clocks = k_vector_issue_clocks;
  return operation;
}

template <typename Signature, typename Function>
Operation lane_operation(std::string mnemonic, Function) {
  using Executor = LaneExecutor<Flags::none, Signature, Function>;
  Operation operation = vector_operation(std::move(mnemonic), Executor::execute);
  operation.plain_execute = Executor::plain();
  return operation;
}

template <typename Signature, typename Function>
void add_lane_operation(OperationTable& table, std::string mnemonic, Function function) {
  table.add(lane_operation<Signature>(std::move(mnemonic), function));
}

template <typename Signature, typename Function>
void add_transcendental(OperationTable& table, std::string mnemonic, Function) {
  Operation operation = lane_operation<Signature>(std::move(mnemonic), Widest<Function>{});
  operation.operation_class = OperationClass::transcendental;
  operation.issue_clocks = k_transcendental_issue_clocks;
  table.add(std::move(operation));
}

template <typename Signature, typename Function, typename Saturating>
void add_saturating_operation(OperationTable& table, std::string mnemonic, Function, Saturating) {
  Operation operation = vector_operation(std::move(mnemonic), execute_saturating<Signature, Function, Saturating>);
  operation.plain_execute = LaneExecutor<Flags::none, Signature, Function>::plain();
  table.add(std::move(operation));
}

// The function sets a flag per lane, which goes to the scalar register pair that is the second operand.
template <typename Signature, typename Function>
void add_carry_operation(OperationTable& table, std::string mnemonic, Function) {
  using Executor = LaneExecutor<Flags::second_destination, Signature, Function>;
  Operation operation = vector_operation(std::move(mnemonic), Executor::execute, 2);
  operation.plain_execute = Executor::plain();
  table.add(std::move(operation));
}

} // namespace hk::sim::vector
