#pragma once
// The architectural state of one 64-lane wave, and the accesses that it has in flight.

#include <array>
#include <bit>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>

#include "sim/machine/fault.h"
#include "sim/machine/instruction.h"
#include "sim/machine/memory.h"

namespace hk::sim {

struct Workgroup;

enum class Counter : std::uint8_t { vector_memory, lds_or_scalar, flat /* both counters */ };

// A memory access between issue and completion. Its registers are marked in flight; `complete` does the access and clears
// the marks. Accesses of one wave complete in issue order, at the latest at the wait that demands them; how much
// earlier is the schedule's choice.
struct PendingAccess {
  const Instruction* instruction = nullptr;
  Counter counter = Counter::vector_memory;
  bool scalar = false; // SMEM returns out of order: only lgkmcnt(0) makes it visible
  std::uint64_t exec = 0;
  std::array<std::uint64_t, k_wave_size> addresses{};        // per lane: global or scratch address, or LDS byte offset
  std::array<std::array<std::uint32_t, 4>, k_wave_size> data{}; // per lane: what a store writes, captured at issue
  std::uint64_t lds_base = 0; // direct-to-LDS loads: wave-uniform LDS byte offset (M0 base + instruction offset)
  std::uint32_t extra = 0;    // free for the operation
  void (*complete)(Wave& wave, const PendingAccess& access) = nullptr;
};

struct Wave {
  alignas(64) std::uint32_t vector[k_vector_register_count][k_wave_size];
  std::uint32_t scalar[k_scalar_register_count]; // by hardware number; vcc, m0 and exec are inside
  bool scc = false;
  std::uint32_t mode = 0; // MODE register: FP_ROUND bits 3:0, FP_DENORM bits 7:4, ...
  std::uint32_t next = 0; // index of the next instruction
  std::uint32_t wave_index = 0; // in the workgroup
  std::uint64_t scratch_base = 0;   // device address of this wave's scratch, 0: none
  std::uint32_t scratch_bytes_per_lane = 0;
  std::uint64_t executed = 0;       // instructions
  std::uint64_t issue_clocks = 0;   // sum over executed instructions, raw material of the modelled time
  bool ended = false;
  bool at_barrier = false;
  Workgroup* workgroup = nullptr;
  Fault fault;

  // Accesses in flight, oldest first.
  std::deque<PendingAccess> pending;
  std::bitset<k_vector_register_count> vector_in_flight;
  std::bitset<k_scalar_register_count> scalar_in_flight;

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
  // Queues the access, marks its destination registers (operation->destinations) in flight unless `to_registers` is false.
  void issue(PendingAccess access, bool to_registers);
  // Completes the oldest accesses until at most `count` of the counter are outstanding.
  void wait_vector_memory(unsigned count);
  void wait_lds_and_scalar(unsigned count);
};

} // namespace hk::sim
