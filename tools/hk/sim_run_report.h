#pragma once
// JSON of `hk sim`.

#include <array>
#include <cstdint>
#include <string>

#include "codeobj/code_object.h"

namespace hk::command {

struct RunFacts {
  std::string device;
  std::string target;
  std::string profile; // digest of the device profile
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint64_t lds_bytes = 0; // static and dynamic
  double host_ms = 0;          // load, launch and wait on the host's clock
};

// One line: the facts, and what the simulator counted (a JSON object of hksim_last_launch).
std::string run_json(const RunFacts& facts, const std::string& counted);

// One line: target and kernels with registers, LDS, scratch, kernarg size and arguments.
std::string list_json(const codeobj::CodeObject& object);

} // namespace hk::command
