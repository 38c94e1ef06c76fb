// Atomics of a whole wave on one place in memory: s_atomic at an address, s_buffer_atomic through a buffer descriptor
// ("CDNA3 ISA", section Scalar Memory Operations). The first operand is the data; with glc the value from before
// replaces it. They count in lgkmcnt and complete in no order.
#include <cstring>
#include <string>

#include "sim/instructions/scalar/access/scalar_address.h"
#include "sim/instructions/vector_memory/access/atomic_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

template <Atomic Kind, typename Word>
void complete(Wave& wave, const PendingAccess& access) {
  const std::uint64_t address = access.addresses[0];
  LaneMemory memory(wave);
  std::byte* const place = memory.device(address, sizeof(Word), true);
  if (place == nullptr) {
    raise_inaccessible(wave, access, -1, address, sizeof(Word), true);
    return;
  }
  if (address % sizeof(Word) != 0) {
    wave.raise(FaultKind::misaligned, *access.instruction, "a scalar atomic needs an aligned address", -1, address);
    return;
  }
  const Word old = apply_atomic<Kind, Word>(place, access.data[0]);
  if (returns_value(*access.instruction))
    std::memcpy(wave.scalar + access.instruction->operands[0].index, &old, sizeof old);
}

template <Atomic Kind, typename Word>
void issue(Wave& wave, const Instruction& instruction, std::uint64_t address) {
  PendingAccess& access = wave.prepare_access(instruction, Counter::lds_or_scalar);
  access.scalar = true;
  access.addresses[0] = address;
  for (unsigned i = 0; i < unsigned(k_atomic_data_registers<Kind, Word>); ++i)
    access.data[0][i] = wave.scalar[instruction.operands[0].index + i];
  access.complete = complete<Kind, Word>;
  wave.issue_prepared(returns_value(instruction));
}

template <Atomic Kind, typename Word>
struct ScalarAtomic {
  static void execute(Wave& wave, const Instruction& instruction) {
    issue<Kind, Word>(wave, instruction, flat_address(wave, instruction));
  }
};

template <Atomic Kind, typename Word>
struct ScalarBufferAtomic {
  static void execute(Wave& wave, const Instruction& instruction) {
    const BufferAddress place = buffer_address(wave, instruction);
    constexpr std::uint64_t k_dwords = sizeof(Word) / 4;
    if (place.available >= k_dwords) {
      issue<Kind, Word>(wave, instruction, place.address);
      return;
    }
    // Out of bounds memory is left alone and reads as zero.
    if (returns_value(instruction))
      std::memset(wave.scalar + instruction.operands[0].index, 0, sizeof(Word));
  }
};

template <template <Atomic, typename> class Instructions>
void add_all(OperationTable& table, const std::string& prefix) {
  const auto add = [&](const char* name, Execute narrow, Execute wide) {
    table.add(scalar_memory_operation(prefix + name, narrow, 1));
    table.add(scalar_memory_operation(prefix + name + "_x2", wide, 1));
  };
#define HK_ADD_SCALAR_ATOMIC(name, kind)                                                                               \
  add(name, Instructions<Atomic::kind, std::uint32_t>::execute, Instructions<Atomic::kind, std::uint64_t>::execute)
  HK_ADD_SCALAR_ATOMIC("swap", exchange);
  HK_ADD_SCALAR_ATOMIC("cmpswap", compare_exchange);
  HK_ADD_SCALAR_ATOMIC("add", add);
  HK_ADD_SCALAR_ATOMIC("sub", subtract);
  HK_ADD_SCALAR_ATOMIC("smin", signed_minimum);
  HK_ADD_SCALAR_ATOMIC("umin", unsigned_minimum);
  HK_ADD_SCALAR_ATOMIC("smax", signed_maximum);
  HK_ADD_SCALAR_ATOMIC("umax", unsigned_maximum);
  HK_ADD_SCALAR_ATOMIC("and", bit_and);
  HK_ADD_SCALAR_ATOMIC("or", bit_or);
  HK_ADD_SCALAR_ATOMIC("xor", bit_xor);
  HK_ADD_SCALAR_ATOMIC("inc", increment);
  HK_ADD_SCALAR_ATOMIC("dec", decrement);
#undef HK_ADD_SCALAR_ATOMIC
}

} // namespace

void register_scalar_atomic(OperationTable& table) {
  add_all<ScalarAtomic>(table, "s_atomic_");
  add_all<ScalarBufferAtomic>(table, "s_buffer_atomic_");
}

} // namespace hk::sim
