#pragma once
// Facts: what a compiled candidate says about itself before it has run, and what follows from that.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codeobj/inspect.h"
#include "codeobj/processor.h"

namespace hk::tune {

struct Facts {
  std::uint32_t vgprs = 0;               // architectural registers per lane
  std::uint32_t agprs = 0;               // accumulation registers per lane
  std::uint32_t sgprs = 0;               // per wave
  std::uint64_t lds_bytes = 0;           // per workgroup
  std::uint64_t scratch_bytes = 0;       // per work-item
  std::uint32_t spilled_vgprs = 0;       // vector registers kept in scratch
  std::uint32_t waves_per_workgroup = 0; // of the processor's wave size
  std::uint32_t workgroups_per_cu = 0;   // that a compute unit holds at a time; 0 = cannot be launched

  [[nodiscard]] std::uint32_t waves_per_cu() const { return waves_per_workgroup * workgroups_per_cu; }
};

// `workgroup_size` in work-items; `lds_limit` = bytes of LDS of a compute unit (DeviceInfo::lds_bytes). Counts for
// gfx942 and gfx950, or for compute capability 8.0 and 9.0.
Facts facts_of(const codeobj::KernelResources& resources, std::uint32_t workgroup_size, std::uint64_t lds_limit,
               codeobj::Platform platform = codeobj::Platform::amd);

// For each candidate why it is not worth measuring, or an empty sentence. Candidate 0, the default, is never refused
// for being slow, only for being impossible; a candidate whose place is null (it failed earlier) is passed over.
std::vector<std::string> prune(const std::vector<const Facts*>& candidates, std::uint64_t lds_limit);

} // namespace hk::tune
