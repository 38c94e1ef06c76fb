#pragma once
// Small kernels in assembler text, one per kind of instruction: a loop around a block of independent instructions.

#include <cstdint>
#include <string>
#include <vector>

#include "codeobj/code_object.h"
#include "sim/machine/dispatch.h"

namespace hk::bench {

struct SimKernelText {
  std::string name;
  sim::Target target = sim::Target::gfx942;
  std::string block;                    // repeated until the loop body has about 64 instructions
  unsigned block_instructions = 1;      // of the block
  double flop_per_block = 0;            // 0: not a matrix kernel
  double instructions_per_second = 0;   // the least that the project accepts of one core; 0: nothing set
  double flop_per_second = 0;           // the same for matrix kernels
  bool flushes_subnormals = false;      // of f32; HIP keeps them
  std::uint32_t exec_half = 0xffffffff; // both halves of EXEC while the loop runs
};

const std::vector<SimKernelText>& sim_kernels();

// An assembled and decoded kernel without arguments: v0..v127 hold small numbers, v128 the lane's LDS address, 16 bytes
// apart.
class SimKernel {
 public:
  // Throws std::runtime_error with the assembler's messages.
  SimKernel(const SimKernelText& text, unsigned iterations);

  // `workgroups` workgroups of one wave on `threads` host threads. Throws std::runtime_error on a fault.
  [[nodiscard]] sim::DispatchResult run(std::uint32_t workgroups, unsigned threads) const;

 private:
  codeobj::CodeObject m_object;
  sim::Program m_program;
};

} // namespace hk::bench
