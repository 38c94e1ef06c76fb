#include "device/hip/hip_api.h"

#include <string>

#include "device/symbol_loader.h"

namespace hk::device {
Result<HipApi> load_hip_api(const RuntimeLibrary& library) {
  HipApi api;
  SymbolLoader loader(library.handle);
  loader.load(api.init, "hipInit");
  loader.load(api.runtime_version, "hipRuntimeGetVersion");
  loader.load(api.device_count, "hipGetDeviceCount");
  loader.load(api.device_properties, "hipGetDevicePropertiesR0600");
  loader.load(api.get_device, "hipGetDevice");
  loader.load(api.set_device, "hipSetDevice");
  loader.load(api.error_name, "hipGetErrorName");
  loader.load(api.last_error, "hipGetLastError");
  loader.load(api.module_load_data, "hipModuleLoadData");
  loader.load(api.module_unload, "hipModuleUnload");
  loader.load(api.module_get_function, "hipModuleGetFunction");
  loader.load(api.module_launch_kernel, "hipModuleLaunchKernel");
  loader.load(api.pointer_attributes, "hipPointerGetAttributes");
  loader.load(api.memory_allocate, "hipMalloc");
  loader.load(api.memory_free, "hipFree");
  loader.load(api.memory_copy_async, "hipMemcpyAsync");
  loader.load(api.stream_create, "hipStreamCreateWithFlags");
  loader.load(api.stream_destroy, "hipStreamDestroy");
  loader.load(api.stream_synchronize, "hipStreamSynchronize");
  loader.load(api.stream_is_capturing, "hipStreamIsCapturing");
  loader.load(api.exchange_capture_mode, "hipThreadExchangeStreamCaptureMode");
  loader.load(api.device_synchronize, "hipDeviceSynchronize");
  loader.load(api.event_create, "hipEventCreate");
  loader.load(api.event_destroy, "hipEventDestroy");
  loader.load(api.event_record, "hipEventRecord");
  loader.load(api.event_synchronize, "hipEventSynchronize");
  loader.load(api.event_elapsed_time, "hipEventElapsedTime");
  if (loader.missing() != nullptr)
    return fail(StatusCode::no_runtime, "the HIP runtime " + library.path + " (" + library.reason + ") lacks " +
                                            loader.missing() + ": use ROCm 6.0 or later");
  loader.load_if_there(api.simulator_last_fault, "hksim_last_fault");
  loader.load_if_there(api.simulator_last_error, "hksim_last_error");
  loader.load_if_there(api.simulator_profile_digest, "hksim_profile_digest");
  return api;
}

} // namespace hk::device
