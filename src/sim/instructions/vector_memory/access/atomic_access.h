#pragma once
// Atomics on device memory. Workgroups run on several host threads, so each is a host atomic on the memory's bytes; LDS
// (through FLAT) belongs to one workgroup and one thread.

#include <atomic>
#include <cstring>
#include <string>

#include "sim/instructions/lds/access/atomic_arithmetic.h"
#include "sim/instructions/lds/access/lanes.h"
#include "sim/instructions/vector_memory/access/lane_memory.h"
#include "sim/instructions/vector_memory/access/operations.h"

namespace hk::sim {

// ADD_F32 flushes subnormals in the L2, every other float atomic keeps them ("CDNA4 ISA", "Denormal Handling").
template <Atomic Kind, typename Word>
constexpr SubnormalMode k_memory_subnormals =
    Kind == Atomic::float_sum && sizeof(Word) == 4 ? SubnormalMode{false, false} : SubnormalMode{};

// The data operand as captured: value, then for compare_exchange the comparand.
template <Atomic Kind, typename Word>
Word combine(Word memory, const std::array<std::uint32_t, 4>& dwords) {
  constexpr int k_dwords = sizeof(Word) / 4;
  Word value, second = 0;
  std::memcpy(&value, dwords.data(), sizeof value);
  if constexpr (Kind == Atomic::compare_exchange) {
    std::memcpy(&second, dwords.data() + k_dwords, sizeof second);
    return atomic_result<Kind, Word>(memory, second, value, {}); // DS order: comparand, new value
  }
  return atomic_result<Kind, Word>(memory, value, second, k_memory_subnormals<Kind, Word>);
}

// One lane's atomic at an aligned place; returns what was there.
template <Atomic Kind, typename Word>
Word apply_atomic(std::byte* place, const std::array<std::uint32_t, 4>& dwords) {
  std::atomic_ref<Word> shared(*reinterpret_cast<Word*>(place));
  Word memory = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(memory, combine<Kind, Word>(memory, dwords), std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) {
  }
  return memory;
}

template <typename Word>
void return_old_value(Wave& wave, const PendingAccess& access, int lane, Word memory) {
  auto* target = &wave.vector[access.instruction->operands[0].index];
  for (unsigned i = 0; i < sizeof(Word) / 4; ++i)
    target[i][lane] = std::uint32_t(std::uint64_t(memory) >> (32 * i));
}

// sc0 asks for the value from before.
inline bool returns_value(const Instruction& instruction) {
  return instruction.modifiers.sc0;
}

template <Atomic Kind, typename Word>
constexpr int k_atomic_data_registers = int(sizeof(Word) / 4) * (Kind == Atomic::compare_exchange ? 2 : 1);

template <Atomic Kind, typename Word>
void complete_atomic(Wave& wave, const PendingAccess& access) {
  LaneMemory memory(wave);
  for_each_lane(access.exec, [&](int lane) {
    std::byte* place = memory.generic(access.addresses[lane], sizeof(Word), true);
    if (place == nullptr) { // freed since the issue
      raise_inaccessible(wave, access, lane, access.addresses[lane], sizeof(Word), true);
      return;
    }
    const Word old = apply_atomic<Kind, Word>(place, access.data[lane]);
    if (returns_value(*access.instruction))
      return_old_value(wave, access, lane, old);
  });
}

// Instructions<Kind, Word>::execute for every atomic: prefix "global_atomic_" gives global_atomic_add, _add_x2, ...
template <template <Atomic, typename> class Instructions>
void add_atomics(OperationTable& table, const std::string& prefix) {
  const auto add = [&](const std::string& name, Execute execute, unsigned bytes) {
    add_vector_memory_operation(table, prefix + name, execute, 1, bytes);
  };
  const auto add_both = [&](const std::string& name, Execute narrow, Execute wide) {
    add(name, narrow, 4);
    add(name + "_x2", wide, 8);
  };
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
#define HK_ADD_INTEGER_ATOMIC(name, kind)                                                                              \
  add_both(name, Instructions<Atomic::kind, U32>::execute, Instructions<Atomic::kind, U64>::execute)
  HK_ADD_INTEGER_ATOMIC("swap", exchange);
  HK_ADD_INTEGER_ATOMIC("cmpswap", compare_exchange);
  HK_ADD_INTEGER_ATOMIC("add", add);
  HK_ADD_INTEGER_ATOMIC("sub", subtract);
  HK_ADD_INTEGER_ATOMIC("smin", signed_minimum);
  HK_ADD_INTEGER_ATOMIC("umin", unsigned_minimum);
  HK_ADD_INTEGER_ATOMIC("smax", signed_maximum);
  HK_ADD_INTEGER_ATOMIC("umax", unsigned_maximum);
  HK_ADD_INTEGER_ATOMIC("and", bit_and);
  HK_ADD_INTEGER_ATOMIC("or", bit_or);
  HK_ADD_INTEGER_ATOMIC("xor", bit_xor);
  HK_ADD_INTEGER_ATOMIC("inc", increment);
  HK_ADD_INTEGER_ATOMIC("dec", decrement);
#undef HK_ADD_INTEGER_ATOMIC
  add("add_f32", Instructions<Atomic::float_sum, U32>::execute, 4);
  add("pk_add_f16", Instructions<Atomic::packed_f16_sum, U32>::execute, 4);
  add("pk_add_bf16", Instructions<Atomic::packed_bf16_sum, U32>::execute, 4);
  add("add_f64", Instructions<Atomic::float_sum, U64>::execute, 8);
  add("min_f64", Instructions<Atomic::float_minimum, U64>::execute, 8);
  add("max_f64", Instructions<Atomic::float_maximum, U64>::execute, 8);
}

} // namespace hk::sim
