// Changing EXEC by a mask and keeping the old one (saveexec) or the new one (wrexec); SCC = new EXEC is not zero.
#include "sim/instructions/scalar/access/scalar_access.h"

namespace hk::sim {

namespace {

using namespace scalar;

// `f` takes the source and the old EXEC.
template <std::uint64_t (*f)(std::uint64_t, std::uint64_t), bool keep_old>
void change_exec(Wave& wave, const Instruction& instruction) {
  const std::uint64_t source = read64(wave, instruction, 1);
  const std::uint64_t old = wave.exec();
  const std::uint64_t changed = f(source, old);
  write64(wave, instruction, keep_old ? old : changed);
  wave.set_exec(changed);
  wave.scc = changed != 0;
}

template <std::uint64_t (*f)(std::uint64_t, std::uint64_t), bool keep_old = true>
void add(OperationTable& table, const char* mnemonic) {
  Operation operation = scalar_operation(mnemonic, change_exec<f, keep_old>);
  operation.implies_exec = true;
  table.add(operation);
}

using Mask = std::uint64_t;

Mask bits_and(Mask source, Mask exec) {
  return source & exec;
}
Mask bits_or(Mask source, Mask exec) {
  return source | exec;
}
Mask bits_xor(Mask source, Mask exec) {
  return source ^ exec;
}
Mask and_not_exec(Mask source, Mask exec) {
  return source & ~exec;
}
Mask or_not_exec(Mask source, Mask exec) {
  return source | ~exec;
}
Mask bits_nand(Mask source, Mask exec) {
  return ~(source & exec);
}
Mask bits_nor(Mask source, Mask exec) {
  return ~(source | exec);
}
Mask bits_xnor(Mask source, Mask exec) {
  return ~(source ^ exec);
}
Mask and_not_source(Mask source, Mask exec) {
  return ~source & exec;
}
Mask or_not_source(Mask source, Mask exec) {
  return ~source | exec;
}

} // namespace

void register_scalar_saveexec(OperationTable& table) {
  add<bits_and>(table, "s_and_saveexec_b64");
  add<bits_or>(table, "s_or_saveexec_b64");
  add<bits_xor>(table, "s_xor_saveexec_b64");
  add<and_not_exec>(table, "s_andn2_saveexec_b64");
  add<or_not_exec>(table, "s_orn2_saveexec_b64");
  add<bits_nand>(table, "s_nand_saveexec_b64");
  add<bits_nor>(table, "s_nor_saveexec_b64");
  add<bits_xnor>(table, "s_xnor_saveexec_b64");
  add<and_not_source>(table, "s_andn1_saveexec_b64");
  add<or_not_source>(table, "s_orn1_saveexec_b64");
  add<and_not_source, false>(table, "s_andn1_wrexec_b64");
  add<and_not_exec, false>(table, "s_andn2_wrexec_b64");
}

} // namespace hk::sim
