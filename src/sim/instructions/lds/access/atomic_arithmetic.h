#pragma once
// What an atomic makes of the memory's value; the same in LDS and in global memory ("CDNA4 ISA", DS and MUBUF opcodes).

#include <cstdint>
#include <type_traits>

#include "sim/instructions/lds/access/float_atomics.h"

namespace hk::sim {

enum class Atomic : std::uint8_t {
  add,
  subtract,
  reverse_subtract,
  increment,
  decrement,
  signed_minimum,
  signed_maximum,
  unsigned_minimum,
  unsigned_maximum,
  bit_and,
  bit_or,
  bit_xor,
  masked_or, // data = mask, second = bits to set
  exchange,
  compare_exchange, // data = what memory must equal, second = new value
  wrap,             // data = subtrahend, second = what is added instead of going below 0
  float_sum,
  float_minimum,
  float_maximum,
  float_compare_exchange,
  packed_f16_sum,
  packed_bf16_sum,
};

constexpr bool has_second_operand(Atomic kind) {
  return kind == Atomic::masked_or || kind == Atomic::compare_exchange || kind == Atomic::wrap ||
         kind == Atomic::float_compare_exchange;
}

template <Atomic Kind, typename Word>
Word atomic_result(Word memory, Word data, [[maybe_unused]] Word second, [[maybe_unused]] SubnormalMode mode) {
  using Signed = std::make_signed_t<Word>;
  switch (Kind) {
  case Atomic::add:
    return memory + data;
  case Atomic::subtract:
    return memory - data;
  case Atomic::reverse_subtract:
    return data - memory;
  case Atomic::increment:
    return memory >= data ? Word{0} : Word(memory + 1);
  case Atomic::decrement:
    return memory == 0 || memory > data ? data : Word(memory - 1);
  case Atomic::signed_minimum:
    return Signed(data) < Signed(memory) ? data : memory;
  case Atomic::signed_maximum:
    return Signed(data) >= Signed(memory) ? data : memory;
  case Atomic::unsigned_minimum:
    return data < memory ? data : memory;
  case Atomic::unsigned_maximum:
    return data >= memory ? data : memory;
  case Atomic::bit_and:
    return memory & data;
  case Atomic::bit_or:
    return memory | data;
  case Atomic::bit_xor:
    return memory ^ data;
  case Atomic::masked_or:
    return (memory & ~data) | second;
  case Atomic::exchange:
    return data;
  case Atomic::compare_exchange:
    return memory == data ? second : memory;
  case Atomic::wrap:
    return memory >= data ? memory - data : memory + second;
  case Atomic::float_sum:
    return float_add(memory, data, mode);
  case Atomic::float_minimum:
    return float_extremum(memory, data, false, mode);
  case Atomic::float_maximum:
    return float_extremum(memory, data, true, mode);
  case Atomic::float_compare_exchange:
    return float_equal(memory, data, mode) ? second : memory;
  case Atomic::packed_f16_sum:
    return Word(packed_half_add(std::uint32_t(memory), std::uint32_t(data), mode, false));
  case Atomic::packed_bf16_sum:
    return Word(packed_half_add(std::uint32_t(memory), std::uint32_t(data), mode, true));
  }
  return memory;
}

} // namespace hk::sim
