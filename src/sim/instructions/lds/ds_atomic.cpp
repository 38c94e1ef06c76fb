// ds_<op>_<type> and ds_<op>_rtn_<type>: read, combine, write back, one lane after the other in ascending order. The
// rtn forms return what was in memory. Lanes that are off touch nothing. Of ds_cmpst's two data operands the first is
// the comparand, the opposite of the buffer and global forms.

#include <cstring>

#include "sim/instructions/lds/access/atomic_arithmetic.h"
#include "sim/instructions/lds/access/lds_access.h"

namespace hk::sim {

namespace {

template <Atomic Kind, typename Word>
SubnormalMode subnormals_of(std::uint32_t mode) {
  if constexpr (Kind == Atomic::packed_f16_sum || Kind == Atomic::packed_bf16_sum)
    return half_subnormals(mode);
  else if constexpr (sizeof(Word) == 8)
    return Kind == Atomic::float_sum ? SubnormalMode{} : half_subnormals(mode); // ADD_F64 never flushes
  else
    return single_subnormals(mode);
}

template <Atomic Kind, typename Word, bool Returns>
void complete_atomic(Wave& wave, const PendingAccess& access) {
  constexpr int k_dwords = sizeof(Word) / 4;
  const SubnormalMode mode = subnormals_of<Kind, Word>(access.extra); // MODE at issue
  for_each_lane(access.exec, [&](int lane) {
    Word memory, data, second;
    std::byte* place = lds_at(wave, access.addresses[lane]);
    std::memcpy(&memory, place, sizeof memory);
    std::memcpy(&data, access.data[lane].data(), sizeof data);
    std::memcpy(&second, access.data[lane].data() + k_dwords, sizeof second);
    const Word result = atomic_result<Kind, Word>(memory, data, second, mode);
    std::memcpy(place, &result, sizeof result);
    if constexpr (Returns) {
      auto* target = &wave.vector[access.instruction->operands[0].index];
      for (int i = 0; i < k_dwords; ++i)
        target[i][lane] = std::uint32_t(std::uint64_t(memory) >> (32 * i));
    }
  });
}

template <Atomic Kind, typename Word, bool Returns>
void execute_atomic(Wave& wave, const Instruction& instruction) {
  constexpr int k_dwords = sizeof(Word) / 4;
  constexpr int k_address = Returns ? 1 : 0;
  PendingAccess* access = prepare_lds_access(wave, instruction, instruction.operands[k_address],
                                             std::uint32_t(instruction.modifiers.offset), sizeof(Word));
  if (access == nullptr || !check_lds_alignment(wave, *access, sizeof(Word)))
    return;
  capture_data(wave, *access, instruction.operands[k_address + 1], 0, k_dwords);
  if constexpr (has_second_operand(Kind))
    capture_data(wave, *access, instruction.operands[k_address + 2], k_dwords, k_dwords);
  access->extra = wave.mode;
  access->complete = complete_atomic<Kind, Word, Returns>;
  wave.issue_prepared(Returns);
}

// `operation` and `type` as in ds_add_u32 and ds_add_rtn_u32.
template <Atomic Kind, typename Word>
void add_atomic(OperationTable& table, const std::string& operation, const std::string& type) {
  add_lds_operation(table, "ds_" + operation + "_rtn_" + type, execute_atomic<Kind, Word, true>, 1, sizeof(Word));
  if (Kind != Atomic::exchange && Kind != Atomic::wrap) // these exist only with a return value
    add_lds_operation(table, "ds_" + operation + "_" + type, execute_atomic<Kind, Word, false>, 0, sizeof(Word));
}

template <typename Word>
void add_integer_atomics(OperationTable& table, const std::string& bits) {
  add_atomic<Atomic::add, Word>(table, "add", "u" + bits);
  add_atomic<Atomic::subtract, Word>(table, "sub", "u" + bits);
  add_atomic<Atomic::reverse_subtract, Word>(table, "rsub", "u" + bits);
  add_atomic<Atomic::increment, Word>(table, "inc", "u" + bits);
  add_atomic<Atomic::decrement, Word>(table, "dec", "u" + bits);
  add_atomic<Atomic::signed_minimum, Word>(table, "min", "i" + bits);
  add_atomic<Atomic::signed_maximum, Word>(table, "max", "i" + bits);
  add_atomic<Atomic::unsigned_minimum, Word>(table, "min", "u" + bits);
  add_atomic<Atomic::unsigned_maximum, Word>(table, "max", "u" + bits);
  add_atomic<Atomic::bit_and, Word>(table, "and", "b" + bits);
  add_atomic<Atomic::bit_or, Word>(table, "or", "b" + bits);
  add_atomic<Atomic::bit_xor, Word>(table, "xor", "b" + bits);
  add_atomic<Atomic::masked_or, Word>(table, "mskor", "b" + bits);
  add_atomic<Atomic::exchange, Word>(table, "wrxchg", "b" + bits);
  add_atomic<Atomic::compare_exchange, Word>(table, "cmpst", "b" + bits);
  add_atomic<Atomic::float_compare_exchange, Word>(table, "cmpst", "f" + bits);
  add_atomic<Atomic::float_sum, Word>(table, "add", "f" + bits);
  add_atomic<Atomic::float_minimum, Word>(table, "min", "f" + bits);
  add_atomic<Atomic::float_maximum, Word>(table, "max", "f" + bits);
}

} // namespace

void register_ds_atomic(OperationTable& table) {
  add_integer_atomics<std::uint32_t>(table, "32");
  add_integer_atomics<std::uint64_t>(table, "64");
  add_atomic<Atomic::wrap, std::uint32_t>(table, "wrap", "b32");
  add_atomic<Atomic::packed_f16_sum, std::uint32_t>(table, "pk_add", "f16");
  add_atomic<Atomic::packed_bf16_sum, std::uint32_t>(table, "pk_add", "bf16");
}

} // namespace hk::sim
