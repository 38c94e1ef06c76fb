#pragma once
// What the machine needs to know about a device; the profile reader fills it.

#include <cstdint>

#include "sim/machine/target.h"

namespace hk::sim {

struct DeviceModel {
  Target target = Target::gfx942;
  std::uint32_t compute_units = 304;
  std::uint32_t xcds = 8; // workgroup i goes to XCD i mod xcds
  std::uint32_t simds_per_compute_unit = 4;
  std::uint32_t waves_per_simd = 8;
  std::uint32_t lds_bytes = 64 * 1024;           // per compute unit
  std::uint32_t vector_registers_per_lane = 512; // of a SIMD, shared by its waves
  std::uint32_t vector_register_granule = 8;
  double engine_clock_mhz = 2100;
  double dispatch_overhead_ns = 2200;
};

} // namespace hk::sim
