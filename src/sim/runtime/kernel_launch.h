#pragma once
// Kernel launches: the limits that hardware and HIP set, the argument bytes, and the run.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/runtime/command.h"
#include "sim/runtime/error.h"
#include "sim/runtime/loaded_module.h"

namespace hk::sim {

class Device;

inline constexpr std::uint32_t k_max_workgroup_size = 1024; // work-items; CDNA3 and CDNA4

// Fails with the code and for the reason that the HIP runtime has: empty grid (invalid_value) or block
// (invalid_configuration), more work-items than a 32-bit AQL field holds, block above the device's or the kernel's
// limit, LDS above the device's.
Error check_launch(const Device& device, const LoadedKernel& kernel, const LaunchShape& shape);

// The kernarg segment: each explicit argument copied from the pointer of the same position.
Outcome<std::vector<std::byte>> arguments_from_pointers(const LoadedKernel& kernel, void* const* pointers);
// The same from bytes laid out by the caller (HIP_LAUNCH_PARAM_BUFFER_POINTER). Bytes past the segment are refused,
// fewer than the explicit arguments need as well.
Outcome<std::vector<std::byte>> arguments_from_bytes(const LoadedKernel& kernel, std::span<const std::byte> bytes);

// Runs the kernel; returns the modelled end. Faults are raised on the device.
double perform_launch(Device& device, const KernelLaunch& launch, double start);

} // namespace hk::sim
