#pragma once
// `hk sim run`: one kernel of any code object on a simulated device.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace hk::command {

struct SimRunOptions {
  std::string file;   // ELF code object, or an offload bundle
  std::string kernel; // may be empty if the object holds one
  std::string device; // empty: the first that runs the object's target
  std::string grid;   // workgroups, "X,Y,Z"
  std::string block;  // work-items, the same
  std::string lds;    // dynamic LDS, a size
  std::vector<std::string> arguments;
  bool packed = false; // ignore the object's description of its arguments
  bool stats = false;
  bool forgive_missing_waits = false;
  std::string trace;                       // "X,Y,Z[:WAVE[:LINES]]"; empty: none
  std::uint64_t max_instructions = 0;      // of one wave; 0: the simulator's limit
  std::uint64_t turn = k_interleaved_turn; // instructions of a wave before the next one's turn

  // Below the skew of a few hundred instructions that hand-written kernels for gfx950 bear.
  static constexpr std::uint64_t k_interleaved_turn = 64;
};

// Runs, reports on stdout, complains in one line on stderr. Returns the exit code: 0 or 1. No output file is touched
// unless the kernel has ended without a fault.
int sim_run(const SimRunOptions& options);

// "4", "4,2" or "4,2,1"; what is left out is `rest`. Fails with invalid_argument, naming `what`.
Result<std::array<std::uint32_t, 3>> parse_three(const std::string& what, std::string_view text, std::uint32_t rest);

} // namespace hk::command
