#include "device/open_device.h"

#include "device/device_name.h"
#include "device/hip/hip_driver.h"
#include "device/null/null_driver.h"

namespace hk::device {

Result<std::unique_ptr<Driver>> open_device(const DeviceRequest& request) {
  HK_ASSIGN_OR_RETURN(const DeviceName name, parse_device_name(request.device));
  if (name.kind == DeviceKind::null)
    return std::make_unique<NullDriver>(name.to_string(), name.processor);
  return open_hip_driver(name, HipLibraries{request.hip_library, request.simulator_library});
}

} // namespace hk::device
