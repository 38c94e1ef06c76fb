#pragma once
// Which HIP runtime a context uses, real or simulated.

#include <string>

#include "base/status.h"
#include "device/runtime_library.h"

namespace hk::device {

// The runtime of real GPUs: `requested` (option runtime_library or HK_HIP_LIBRARY) if not empty; else the libamdhip64
// that is already mapped in this process; else libamdhip64.so.7, then .6. Fails with no_runtime and what was tried; two
// different libamdhip64 in the process are refused, because device pointers of one mean nothing to the other.
Result<RuntimeLibrary> open_hip_library(const std::string& requested);

// The simulated runtime: `requested` (HK_SIM_LIBRARY) if not empty; else libhksim.so in the folder of libhk (or of the
// program that holds it), in ../lib and ../lib/hk of that folder; else where the build put it.
Result<RuntimeLibrary> open_simulator_library(const std::string& requested);

} // namespace hk::device
