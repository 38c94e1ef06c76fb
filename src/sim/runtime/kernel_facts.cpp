#include "sim/runtime/kernel_facts.h"

#include <algorithm>

#include "sim/machine/dispatch.h"
#include "sim/runtime/device.h"
#include "sim/runtime/device_model_of.h"
#include "sim/runtime/kernel_launch.h"

namespace hk::sim {

KernelFacts facts_of(const LoadedKernel& kernel) {
  const codeobj::KernelMetadata& metadata = kernel.kernel->metadata;
  const Device& device = kernel.module->device();
  KernelFacts facts;
  facts.max_workgroup_size = static_cast<int>(std::min<std::uint64_t>(
      metadata.max_flat_workgroup_size == 0 ? k_max_workgroup_size : metadata.max_flat_workgroup_size,
      k_max_workgroup_size));
  facts.static_lds_bytes = static_cast<int>(metadata.group_segment_fixed_size);
  facts.dynamic_lds_limit = static_cast<int>(device.profile().lds_bytes -
                                             std::min(metadata.group_segment_fixed_size, device.profile().lds_bytes));
  facts.scratch_bytes = static_cast<int>(metadata.private_segment_fixed_size);
  facts.vector_registers = static_cast<int>(metadata.vgpr_count);
  facts.target_version = device.target() == Target::gfx950 ? 95 : 94;
  return facts;
}

int workgroups_on_compute_unit(const LoadedKernel& kernel, std::uint32_t work_items, std::uint64_t dynamic_lds) {
  const Device& device = kernel.module->device();
  const codeobj::KernelDescriptor& descriptor = kernel.kernel->descriptor;
  const std::uint64_t lds = descriptor.group_segment_fixed_size + dynamic_lds;
  if (lds < dynamic_lds || lds > device.profile().lds_bytes)
    return 0;
  return static_cast<int>(
      workgroups_per_compute_unit(descriptor, work_items, static_cast<std::uint32_t>(lds), device_model_of(device)));
}

} // namespace hk::sim
