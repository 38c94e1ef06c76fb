#include "device/open_device.h"

#include "device/device_name.h"
#include "device/null/null_driver.h"
#if HK_WITH_HIP
#include "device/hip/hip_driver.h"
#endif
#if HK_WITH_CUDA
#include "device/cuda/cuda_driver.h"
#endif

namespace hk::device {
namespace {

[[maybe_unused]] Result<std::unique_ptr<Driver>> not_built(const DeviceName& name, const char* option) {
  return fail(StatusCode::no_runtime, "device " + name.to_string() +
                                          " cannot be used: this build of hk was configured " + "with " + option +
                                          "=OFF");
}

} // namespace

Result<std::unique_ptr<Driver>> open_device(const DeviceRequest& request) {
  HK_ASSIGN_OR_RETURN(const DeviceName name, parse_device_name(request.device));
  switch (name.kind) {
  case DeviceKind::null:
    return std::make_unique<NullDriver>(name.to_string(), name.processor);
  case DeviceKind::cuda:
#if HK_WITH_CUDA
    return open_cuda_driver(name, request.cuda_library);
#else
    return not_built(name, "HK_CUDA");
#endif
  case DeviceKind::hip:
  case DeviceKind::simulated:
    break;
  }
#if HK_WITH_HIP
  return open_hip_driver(name, HipLibraries{request.hip_library, request.simulator_library});
#else
  return not_built(name, "HK_HIP");
#endif
}

} // namespace hk::device
