#pragma once
// The quick way of vector operations: instructions whose operands are registers and constants as they are, without
// any modifier (Instruction::plain, found when the code is decoded), under the usual MODE. The result is the same, bit
// for bit, as that of the general way in lane_operation.h, to which everything else goes.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "sim/instructions/vector/access/lane_loop.h"
#include "sim/instructions/vector/access/scalar_source.h"
#include "sim/machine/lane_vectors.h"

namespace hk::sim::vector {

// MODE bits that the quick way depends on: rounding to nearest, subnormals kept, no register indexing.
constexpr std::uint32_t k_rounding_and_subnormals = 0xffU;
constexpr std::uint32_t k_nearest_and_kept = 0xf0U;
constexpr std::uint32_t k_gpr_indexing = 1U << 27;

template <typename... Tags>
constexpr bool is_usual_mode(std::uint32_t mode) {
  constexpr bool floats = (is_float(Tags::kind) || ...);
  constexpr std::uint32_t looked_at = k_gpr_indexing | (floats ? k_rounding_and_subnormals : 0U);
  return (mode & looked_at) == (floats ? k_nearest_and_kept : 0U);
}

// Results that fill the register, or its low half and clear the rest.
template <typename Result, typename... Sources>
constexpr bool k_can_be_plain = !is_double_word(Result::kind) && (!is_double_word(Sources::kind) && ...) &&
                                (!is_half_word(Result::kind) || Result::result.half_store == HalfStore::clear_high);

// 64 lanes of a source: the register itself, or a scalar in every lane.
template <Kind kind>
const std::uint32_t* plain_source(const Wave& wave, const Operand& operand, Lanes& storage) {
  if (operand.kind == OperandKind::vector_register)
    return wave.vector[operand.index];
  const std::uint32_t value = operand.kind == OperandKind::scalar_register
                                  ? wave.scalar[operand.index]
                                  : std::uint32_t(constant_bits(operand, kind));
  for (std::uint32_t& word : storage.words)
    word = value;
  return storage.words;
}

template <typename Tag>
const std::uint32_t* plain_source_of(const Wave& wave, const Instruction& instruction, unsigned position,
                                     Lanes& storage) {
  if constexpr (std::is_same_v<Tag, Vcc>) {
    expand_lane_mask(wave.vcc(), storage.words);
    return storage.words;
  } else if constexpr (std::is_same_v<Tag, LaneNumber>) {
    return lane_numbers();
  } else if constexpr (std::is_same_v<Tag, LaneMask>) {
    const Operand& operand = instruction.operands[position];
    expand_lane_mask(scalar_bits(wave, operand, Kind::u64), storage.words);
    return storage.words;
  } else if constexpr (!IsNamed<Tag>::value) {
    return wave.vector[instruction.operands[0].index];
  } else {
    return plain_source<Tag::kind>(wave, instruction.operands[position], storage);
  }
}

template <typename Function, typename Result, typename... Sources>
struct PlainExecutor {
  template <unsigned first_source, std::size_t... n>
  static void fetch_all(const Wave& wave, const Instruction& instruction, LoopArguments& arguments, Lanes* storage,
                        std::index_sequence<n...>) {
    constexpr bool named[] = {IsNamed<Sources>::value..., false};
    constexpr auto position = [](std::size_t source) {
      unsigned at = first_source;
      for (std::size_t i = 0; i < source; ++i)
        at += named[i];
      return at;
    };
    ((arguments.source[n] = plain_source_of<Sources>(wave, instruction, position(n), storage[n])), ...);
  }

  // `flags`: whether the second operand is a scalar register pair that gets a bit per lane.
  template <bool flags>
  static void execute(Wave& wave, const Instruction& instruction) {
    Lanes storage[sizeof...(Sources) + 1];
    Lanes result;
    Lanes flag_words;
    LoopArguments arguments;
    fetch_all<flags ? 2 : 1>(wave, instruction, arguments, storage, std::index_sequence_for<Sources...>());
    arguments.result = &result;
    arguments.flags = flag_words.words;
    arguments.mode = float_mode(wave.mode);
    LaneLoop<Function, Result, Sources...>::run(arguments);
    if constexpr (is_half_word(Result::kind))
      for (std::uint32_t& word : result.words)
        word &= 0xffffU;
    const std::uint64_t exec = wave.exec();
    store_lanes(wave.vector[instruction.operands[0].index], result.words, exec);
    if constexpr (flags)
      wave.set_scalar64(instruction.operands[1].index, pack_lane_mask(flag_words.words) & exec);
  }
};

} // namespace hk::sim::vector
