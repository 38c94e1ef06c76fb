#include "sim/machine/fault.h"

#include <cstdio>

namespace hk::sim {

const char* fault_kind_name(FaultKind kind) {
  switch (kind) {
  case FaultKind::none:
    return "no fault";
  case FaultKind::unknown_instruction:
    return "instruction not implemented by the simulator";
  case FaultKind::unsupported_operand:
    return "operand or modifier not implemented by the simulator";
  case FaultKind::global_out_of_bounds:
    return "global memory access outside every allocation";
  case FaultKind::lds_out_of_bounds:
    return "LDS access out of bounds";
  case FaultKind::scratch_out_of_bounds:
    return "scratch access out of bounds";
  case FaultKind::register_in_flight:
    return "register used while a load into it is in flight";
  case FaultKind::misaligned:
    return "misaligned access";
  case FaultKind::bad_program_counter:
    return "program counter outside the code";
  case FaultKind::trap:
    return "trap";
  case FaultKind::step_limit:
    return "step limit reached";
  case FaultKind::cancelled:
    return "stopped by the host";
  }
  return "unnamed fault";
}

std::string Fault::sentence() const {
  char place[160];
  std::snprintf(place, sizeof place, ", workgroup (%u,%u,%u), wave %u", workgroup[0], workgroup[1], workgroup[2], wave);
  std::string text =
      std::string(fault_kind_name(kind)) + " in kernel " + (kernel.empty() ? "(unnamed)" : kernel) + place;
  if (lane >= 0)
    text += ", lane " + std::to_string(lane);
  // A function that the kernel calls may lie in front of it.
  const bool in_front = std::int64_t(offset) < 0;
  std::snprintf(place, sizeof place, ", at %c0x%llx", in_front ? '-' : '+',
                static_cast<unsigned long long>(in_front ? 0 - offset : offset));
  text += place;
  if (!instruction.empty())
    text += " \"" + instruction + "\"";
  if (address != 0) {
    std::snprintf(place, sizeof place, ", address 0x%llx", static_cast<unsigned long long>(address));
    text += place;
  }
  return explanation.empty() ? text : text + ": " + explanation;
}

} // namespace hk::sim
