#pragma once
// What stops a kernel: a typed description that names kernel, workgroup, wave, lane, instruction and address.

#include <cstdint>
#include <string>

namespace hk::sim {

enum class FaultKind : std::uint8_t {
  none,
  unknown_instruction,
  unsupported_operand,
  global_out_of_bounds,
  lds_out_of_bounds,
  scratch_out_of_bounds,
  register_in_flight, // a register is used while a load into it has not been waited for
  misaligned,
  bad_program_counter,
  trap,
  step_limit,
  cancelled, // the host asked the dispatch to stop
};

const char* fault_kind_name(FaultKind kind);

struct Fault {
  FaultKind kind = FaultKind::none;
  std::string kernel;
  std::uint32_t workgroup[3] = {0, 0, 0};
  std::uint32_t wave = 0;
  std::int32_t lane = -1;    // -1: the whole wave
  std::uint64_t offset = 0;  // of the instruction, in bytes from the kernel's first
  std::string instruction;   // disassembled text
  std::uint64_t address = 0; // global or LDS byte address, where one is involved
  std::string explanation;   // e.g. "4 bytes at 0x... are 16 bytes past the end of allocation 0x... (4096 bytes)"

  [[nodiscard]] bool any() const { return kind != FaultKind::none; }
  // One sentence with everything above.
  [[nodiscard]] std::string sentence() const;
};

} // namespace hk::sim
