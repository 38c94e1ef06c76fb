#include "sim/runtime/device_model_of.h"

#include "sim/runtime/device.h"

namespace hk::sim {

DeviceModel device_model_of(const Device& device) {
  const Profile& profile = device.profile();
  DeviceModel model;
  model.target = device.target();
  model.compute_units = static_cast<std::uint32_t>(profile.compute_units);
  model.xcds = static_cast<std::uint32_t>(profile.xcds);
  model.simds_per_compute_unit = static_cast<std::uint32_t>(profile.simds_per_compute_unit);
  model.waves_per_simd = static_cast<std::uint32_t>(profile.waves_per_simd);
  model.lds_bytes = static_cast<std::uint32_t>(profile.lds_bytes);
  model.vector_registers_per_lane = static_cast<std::uint32_t>(profile.vector_registers_per_lane);
  model.vector_register_granule = static_cast<std::uint32_t>(profile.vector_register_granule);
  model.engine_clock_mhz = static_cast<double>(profile.engine_clock_mhz);
  model.dispatch_overhead_ns = static_cast<double>(profile.dispatch_overhead_ns);
  return model;
}

} // namespace hk::sim
