#pragma once
// The architectural state of one 64-lane wave, and the accesses that it has in flight.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "sim/machine/fault.h"
#include "sim/machine/instruction.h"
#include "sim/machine/memory.h"
#include "sim/machine/operation.h"
#include "sim/machine/pending_accesses.h"
#include "sim/machine/register_marks.h"

namespace hk::sim {

struct Workgroup;

struct Wave {
  alignas(64) std::uint32_t vector[k_vector_register_count][k_wave_size];
  std::uint32_t scalar[k_scalar_register_count]; // by hardware number; vcc, m0 and exec are inside
  bool scc = false;
  std::uint32_t mode = 0;         // MODE register: FP_ROUND bits 3:0, FP_DENORM bits 7:4, ...
  std::uint32_t next = 0;         // index of the next instruction
  std::uint32_t wave_index = 0;   // in the workgroup
  std::uint64_t scratch_base = 0; // device address of this wave's scratch, 0: none
  std::uint32_t scratch_bytes_per_lane = 0;
  std::uint64_t executed = 0;      // instructions
  std::uint64_t missing_waits = 0; // that the workgroup forgave
  std::uint64_t issue_clocks = 0;  // sum over executed instructions, raw material of the modelled time
  std::array<std::uint64_t, k_operation_class_count> executed_by_class{};
  std::array<std::uint64_t, k_operation_class_count> issue_clocks_by_class{};
  bool ended = false;
  bool at_barrier = false;
  std::uint8_t priority = 0; // of s_setprio, 0..3
  bool yields = false;       // s_sleep: lets the other waves run before the next instruction
  Workgroup* workgroup = nullptr;
  Fault fault;

  // Accesses in flight, oldest first.
  PendingAccesses pending;
  std::uint32_t loads_to_registers = 0; // how many of them have marked registers
  bool marks_overlap = false;           // two of them have marked the same register
  RegisterMarks<k_vector_register_count> vector_in_flight;
  RegisterMarks<k_scalar_register_count> scalar_in_flight;

  [[nodiscard]] std::uint64_t scalar64(unsigned index) const {
    return scalar[index] | (std::uint64_t(scalar[index + 1]) << 32);
  }
  void set_scalar64(unsigned index, std::uint64_t value) {
    scalar[index] = std::uint32_t(value);
    scalar[index + 1] = std::uint32_t(value >> 32);
  }
  [[nodiscard]] std::uint64_t exec() const { return scalar64(k_exec_lo); }
  void set_exec(std::uint64_t value) { set_scalar64(k_exec_lo, value); }
  [[nodiscard]] std::uint64_t vcc() const { return scalar64(k_vcc_lo); }
  void set_vcc(std::uint64_t value) { set_scalar64(k_vcc_lo, value); }

  // Records the first fault; later ones are kept out. The wave stops after the current instruction.
  void raise(FaultKind kind, const Instruction& instruction, std::string explanation, int lane = -1,
             std::uint64_t address = 0);
  // Queuing an access, the quick way: fill what prepare_access returns (exec, instruction and counter are set; the
  // arrays hold old values), then call issue_prepared.
  PendingAccess& prepare_access(const Instruction& instruction, Counter counter);
  // Marks the destination, operand 0, in flight unless `to_registers` is false.
  void issue_prepared(bool to_registers);
  // The same for an access made by the caller.
  void issue(PendingAccess access, bool to_registers);
  // Completes the oldest accesses until at most `count` of the counter are outstanding.
  void wait_vector_memory(unsigned count);
  void wait_lds_and_scalar(unsigned count);
  // Completes the i-th pending access and takes it off the list.
  void complete_pending(std::size_t i);
  // Completes everything in issue order.
  void complete_all();
  // Completes one access ahead of its wait: the i-th, or an older one that must come first.
  void complete_early(std::size_t i);
  // As newly made, except for the registers, which keep what they held.
  void reset();
  // Whether the instruction uses a register that a pending load will write; raises register_in_flight if so.
  // Only to be asked while loads_to_registers > 0.
  bool uses_register_in_flight(const Instruction& instruction);

 private:
  // Completes the i-th access and the older ones that must come before it.
  void complete_through(std::size_t i);
};

} // namespace hk::sim
