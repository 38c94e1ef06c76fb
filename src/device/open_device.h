#pragma once
// open_device: from the name of a device to its driver.

#include <memory>
#include <string>

#include "base/status.h"
#include "device/driver.h"

namespace hk::device {

struct DeviceRequest {
  std::string device;            // "hip:0", "cuda:0", "sim:mi300x", "null", ...; empty = hip:0
  std::string hip_library;       // empty = found
  std::string simulator_library; // empty = found
  std::string cuda_library = {}; // empty = found
};

// Fails with invalid_argument, unsupported, no_runtime or no_device.
Result<std::unique_ptr<Driver>> open_device(const DeviceRequest& request);

} // namespace hk::device
