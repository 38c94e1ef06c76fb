// How many workgroups a compute unit holds.
#include <algorithm>

#include "sim/machine/dispatch.h"

namespace hk::sim {

std::uint32_t workgroups_per_compute_unit(const codeobj::KernelDescriptor& descriptor,
                                          std::uint32_t workgroup_work_items, std::uint32_t lds_bytes,
                                          const DeviceModel& device) {
  const std::uint32_t waves = (workgroup_work_items + k_wave_size - 1) / k_wave_size;
  if (waves == 0 || lds_bytes > device.lds_bytes)
    return 0;
  const std::uint32_t granule = device.vector_register_granule;
  const std::uint32_t registers = std::max(granule, (descriptor.vgpr_count + granule - 1) / granule * granule);
  const std::uint32_t waves_per_simd = std::min(device.waves_per_simd, device.vector_registers_per_lane / registers);
  std::uint32_t limit = waves_per_simd * device.simds_per_compute_unit / waves;
  if (lds_bytes > 0)
    limit = std::min(limit, device.lds_bytes / lds_bytes);
  return limit;
}

} // namespace hk::sim
