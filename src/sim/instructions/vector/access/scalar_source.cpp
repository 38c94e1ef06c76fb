#include "sim/instructions/vector/access/scalar_source.h"

#include "sim/machine/instruction.h"
#include "sim/machine/target.h"
#include "sim/machine/wave.h"

namespace hk::sim::vector {

namespace {

std::uint64_t float_constant_bits(double real, Kind kind) {
  switch (kind) {
  case Kind::f16:
    return float_to_half(float(real), Rounding::nearest_even);
  case Kind::bf16:
    return float_to_bfloat16(float(real));
  case Kind::u64:
  case Kind::i64:
  case Kind::f64:
    return std::bit_cast<std::uint64_t>(real);
  default:
    return std::bit_cast<std::uint32_t>(float(real));
  }
}

std::uint64_t special_value(const Wave& wave, SpecialOperand special) {
  switch (special) {
  case SpecialOperand::shared_base:
    return k_shared_aperture_base;
  case SpecialOperand::shared_limit:
    return k_shared_aperture_base + k_aperture_size - 1;
  case SpecialOperand::private_base:
    return k_private_aperture_base;
  case SpecialOperand::private_limit:
    return k_private_aperture_base + k_aperture_size - 1;
  case SpecialOperand::vccz:
    return wave.vcc() == 0;
  case SpecialOperand::execz:
    return wave.exec() == 0;
  case SpecialOperand::scc:
    return wave.scc;
  case SpecialOperand::pops_exiting_wave_id:
  case SpecialOperand::hardware_register:
    break;
  }
  return 0;
}

} // namespace

std::uint64_t constant_bits(const Operand& operand, Kind kind) {
  if (operand.kind == OperandKind::float_constant)
    return float_constant_bits(operand.real, kind);
  if (!is_double_word(kind))
    return std::uint32_t(operand.integer);
  if (!operand.literal)
    return std::uint64_t(operand.integer);
  const std::uint64_t literal = std::uint32_t(operand.integer);
  return kind == Kind::f64 ? literal << 32 : literal;
}

bool is_scalar_source(const Operand& operand) {
  switch (operand.kind) {
  case OperandKind::scalar_register:
  case OperandKind::integer_constant:
  case OperandKind::float_constant:
    return true;
  case OperandKind::special:
    return SpecialOperand(operand.index) != SpecialOperand::hardware_register &&
           SpecialOperand(operand.index) != SpecialOperand::pops_exiting_wave_id;
  default:
    return false;
  }
}

std::uint64_t scalar_bits(const Wave& wave, const Operand& operand, Kind kind, unsigned dword) {
  switch (operand.kind) {
  case OperandKind::scalar_register:
    if (is_double_word(kind) && operand.registers > 1)
      return wave.scalar64(operand.index);
    return wave.scalar[operand.index + (operand.registers > dword ? dword : 0)];
  case OperandKind::special: // 32-bit operands of an aperture get its lower half, 0, as on hardware
    return special_value(wave, SpecialOperand(operand.index));
  default:
    return constant_bits(operand, kind);
  }
}

} // namespace hk::sim::vector
