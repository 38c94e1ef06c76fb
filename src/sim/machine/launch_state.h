#pragma once
// The state in which a workgroup's waves start.
// Source: LLVM, "User Guide for AMDGPU Backend", section Initial Kernel Execution State, for gfx942 and gfx950:
// architected flat scratch, packed work-item ids, preloaded kernel arguments.

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "sim/machine/dispatch.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

// What all workgroups of a dispatch have in common, worked out once.
struct LaunchTemplate {
  const Dispatch* dispatch = nullptr;
  const DeviceModel* device = nullptr;
  std::uint32_t entry = 0; // index of the first instruction that is executed
  std::uint32_t mode = 0;
  std::vector<std::uint32_t> preloaded; // kernel arguments that arrive in registers
  std::uint32_t scratch_bytes_per_lane = 0;
  std::uint64_t uninitialised_seed = 0; // what registers, LDS and scratch hold that nobody has written
};

// Fails with invalid_argument, unsupported or load_failed if the dispatch cannot be run on the device.
Result<LaunchTemplate> prepare_launch(const Dispatch& dispatch, const DeviceModel& device,
                                      std::uint64_t uninitialised_seed);

// Makes the workgroup ready to run as number `index` of the grid (x fastest). Its waves and vectors are reused.
// `scratch_base` is the device address of its scratch, k_wave_size * scratch_bytes_per_lane bytes for each wave.
void start_workgroup(const LaunchTemplate& launch, std::uint64_t index, std::uint64_t scratch_base,
                     Workgroup& workgroup);

// Not-a-number in f32, f16 and bf16, a large number as an integer: nothing that a kernel could take for initialised.
std::uint32_t uninitialised_word(std::uint64_t seed);

} // namespace hk::sim
