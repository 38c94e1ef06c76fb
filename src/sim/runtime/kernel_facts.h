#pragma once
// What a program may ask about a loaded kernel.

#include <cstdint>

#include "sim/runtime/loaded_module.h"

namespace hk::sim {

struct KernelFacts {
  int max_workgroup_size = 0; // work-items
  int static_lds_bytes = 0;   // per workgroup
  int dynamic_lds_limit = 0;  // bytes that a launch may add
  int scratch_bytes = 0;      // per work-item
  int vector_registers = 0;   // architectural and accumulation registers together
  int target_version = 0;     // 94 for gfx942, 95 for gfx950
};

KernelFacts facts_of(const LoadedKernel& kernel);

// Workgroups that one compute unit holds at a time.
int workgroups_on_compute_unit(const LoadedKernel& kernel, std::uint32_t work_items, std::uint64_t dynamic_lds);

} // namespace hk::sim
