// s_getreg and s_setreg: bit fields of hardware registers (CDNA3 ISA, table "Hardware Register Values").
#include <optional>

#include "sim/instructions/scalar/access/scalar_access.h"
#include "sim/machine/mode_register.h"
#include "sim/machine/target.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

namespace {

using namespace scalar;

enum : std::uint32_t {
  k_mode = 1,
  k_status = 2,
  k_trap_status = 3,
  k_hardware_id = 4,
  k_memory_bases = 15,
  k_xcc_id = 20
};

struct Field {
  std::uint32_t id;
  std::uint32_t first;
  std::uint32_t width;

  [[nodiscard]] std::uint32_t mask() const { return width == 32 ? ~0U : (1U << width) - 1; }
};

Field field_of(const Operand& operand) {
  const auto bits = std::uint32_t(operand.integer);
  return {bits & 0x3f, (bits >> 6) & 0x1f, ((bits >> 11) & 0x1f) + 1};
}

std::uint32_t status(const Wave& wave) {
  std::uint32_t value = 1U << 16; // VALID
  value |= wave.scc ? 1U : 0U;
  value |= std::uint32_t(wave.priority) << 3;
  value |= wave.exec() == 0 ? 1U << 9 : 0U;
  value |= wave.vcc() == 0 ? 1U << 10 : 0U;
  value |= wave.workgroup->waves.size() > 1 ? 1U << 11 : 0U; // IN_TG
  return value;
}

// Where the wave runs: wave slot, SIMD, compute unit and shader engine. Four shader engines share an XCD's compute
// units.
std::uint32_t hardware_id(const Wave& wave) {
  const std::uint32_t compute_unit = wave.workgroup->compute_unit;
  return (wave.wave_index / 4 & 0xf) | (wave.wave_index % 4) << 4 | (compute_unit / 4 & 0xf) << 8 |
         (compute_unit % 4) << 13;
}

std::optional<std::uint32_t> value_of(const Wave& wave, std::uint32_t id) {
  switch (id) {
  case k_mode:
    return wave.mode;
  case k_status:
    return status(wave);
  case k_trap_status:
    return 0; // no exception is ever recorded
  case k_hardware_id:
    return hardware_id(wave);
  case k_memory_bases: // bits 63:48 of the private aperture, then of the shared one
    return std::uint32_t(k_private_aperture_base >> 48 | (k_shared_aperture_base >> 48) << 16);
  case k_xcc_id:
    return wave.workgroup->xcd;
  default:
    return std::nullopt;
  }
}

void refuse(Wave& wave, const Instruction& instruction, std::uint32_t id, const char* what) {
  wave.raise(FaultKind::unsupported_operand, instruction,
             "hardware register " + std::to_string(id) + " cannot be " + what + " in the simulator");
}

void get_register(Wave& wave, const Instruction& instruction) {
  const Field field = field_of(instruction.operands[1]);
  const std::optional<std::uint32_t> value = value_of(wave, field.id);
  if (!value.has_value())
    return refuse(wave, instruction, field.id, "read");
  write32(wave, instruction, (*value >> field.first) & field.mask());
}

void set_register(Wave& wave, const Instruction& instruction) {
  const Field field = field_of(instruction.operands[0]);
  if (field.id != k_mode)
    return refuse(wave, instruction, field.id, "written");
  const std::uint32_t mask = field.mask() << field.first;
  wave.mode = (wave.mode & ~mask) | ((read32(wave, instruction, 1) << field.first) & mask);
}

} // namespace

void register_scalar_hardware_register(OperationTable& table) {
  table.add(scalar_operation("s_getreg_b32", get_register));
  table.add(scalar_operation("s_setreg_b32", set_register, 0));
  table.add(scalar_operation("s_setreg_imm32_b32", set_register, 0));
}

} // namespace hk::sim
