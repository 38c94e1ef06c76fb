#include "sim/instructions/scalar/access/scalar_access.h"

#include "sim/machine/target.h"

namespace hk::sim::scalar {

std::uint64_t special_value(Wave& wave, const Instruction& instruction, const Operand& operand) {
  if (operand.kind == OperandKind::special) {
    switch (SpecialOperand(operand.index)) {
    case SpecialOperand::shared_base:
      return k_shared_aperture_base;
    case SpecialOperand::shared_limit:
      return k_shared_aperture_base + k_aperture_size - 1;
    case SpecialOperand::private_base:
      return k_private_aperture_base;
    case SpecialOperand::private_limit:
      return k_private_aperture_base + k_aperture_size - 1;
    case SpecialOperand::vccz:
      return wave.vcc() == 0 ? 1 : 0;
    case SpecialOperand::execz:
      return wave.exec() == 0 ? 1 : 0;
    case SpecialOperand::scc:
      return wave.scc ? 1 : 0;
    case SpecialOperand::pops_exiting_wave_id:
    case SpecialOperand::hardware_register:
      break;
    }
  }
  wave.raise(FaultKind::unsupported_operand, instruction, "the scalar unit cannot read one of the operands");
  return 0;
}

} // namespace hk::sim::scalar
