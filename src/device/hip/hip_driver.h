#pragma once
// HipDriver: a device behind a HIP runtime, real or simulated.

#include <memory>

#include "device/device_name.h"
#include "device/driver.h"

namespace hk::device {

struct HipLibraries {
  std::string runtime;   // option runtime_library or HK_HIP_LIBRARY; empty = found
  std::string simulator; // HK_SIM_LIBRARY; empty = found
};

// Opens hip:N or sim:*. Fails with no_runtime or no_device and what was tried.
Result<std::unique_ptr<Driver>> open_hip_driver(const DeviceName& name, const HipLibraries& libraries);

} // namespace hk::device
