#include "device/cuda/cuda_api.h"

#include <string>

#include "device/symbol_loader.h"

// The header renames functions to their current version by macros: cuMemAlloc is cuMemAlloc_v2. The expansion is the
// name to look up.
#define HK_TEXT_OF(name) #name
#define HK_EXPORTED_NAME(name) HK_TEXT_OF(name)

namespace hk::device {

Result<CudaApi> load_cuda_api(const RuntimeLibrary& library) {
  CudaApi api;
  SymbolLoader loader(library.handle);
  loader.load(api.init, HK_EXPORTED_NAME(cuInit));
  loader.load(api.driver_version, HK_EXPORTED_NAME(cuDriverGetVersion));
  loader.load(api.error_name, HK_EXPORTED_NAME(cuGetErrorName));
  loader.load(api.device_count, HK_EXPORTED_NAME(cuDeviceGetCount));
  loader.load(api.device_get, HK_EXPORTED_NAME(cuDeviceGet));
  loader.load(api.device_name, HK_EXPORTED_NAME(cuDeviceGetName));
  loader.load(api.device_attribute, HK_EXPORTED_NAME(cuDeviceGetAttribute));
  loader.load(api.device_memory, HK_EXPORTED_NAME(cuDeviceTotalMem));
  loader.load(api.primary_context_retain, HK_EXPORTED_NAME(cuDevicePrimaryCtxRetain));
  loader.load(api.primary_context_release, HK_EXPORTED_NAME(cuDevicePrimaryCtxRelease));
  loader.load(api.context_current, HK_EXPORTED_NAME(cuCtxGetCurrent));
  loader.load(api.context_push, HK_EXPORTED_NAME(cuCtxPushCurrent));
  loader.load(api.context_pop, HK_EXPORTED_NAME(cuCtxPopCurrent));
  loader.load(api.context_synchronize, HK_EXPORTED_NAME(cuCtxSynchronize));
  loader.load(api.module_load_data, HK_EXPORTED_NAME(cuModuleLoadData));
  loader.load(api.module_unload, HK_EXPORTED_NAME(cuModuleUnload));
  loader.load(api.module_get_function, HK_EXPORTED_NAME(cuModuleGetFunction));
  loader.load(api.function_set_attribute, HK_EXPORTED_NAME(cuFuncSetAttribute));
  loader.load(api.launch_kernel, HK_EXPORTED_NAME(cuLaunchKernel));
  loader.load(api.pointer_attributes, HK_EXPORTED_NAME(cuPointerGetAttributes));
  loader.load(api.memory_allocate, HK_EXPORTED_NAME(cuMemAlloc));
  loader.load(api.memory_free, HK_EXPORTED_NAME(cuMemFree));
  loader.load(api.memory_copy_async, HK_EXPORTED_NAME(cuMemcpyAsync));
  loader.load(api.stream_create, HK_EXPORTED_NAME(cuStreamCreate));
  loader.load(api.stream_destroy, HK_EXPORTED_NAME(cuStreamDestroy));
  loader.load(api.stream_synchronize, HK_EXPORTED_NAME(cuStreamSynchronize));
  loader.load(api.stream_is_capturing, HK_EXPORTED_NAME(cuStreamIsCapturing));
  loader.load(api.exchange_capture_mode, HK_EXPORTED_NAME(cuThreadExchangeStreamCaptureMode));
  loader.load(api.event_create, HK_EXPORTED_NAME(cuEventCreate));
  loader.load(api.event_destroy, HK_EXPORTED_NAME(cuEventDestroy));
  loader.load(api.event_record, HK_EXPORTED_NAME(cuEventRecord));
  loader.load(api.event_synchronize, HK_EXPORTED_NAME(cuEventSynchronize));
  loader.load(api.event_elapsed_time, "cuEventElapsedTime");
  if (loader.missing() != nullptr)
    return fail(StatusCode::no_runtime, "the CUDA driver " + library.path + " (" + library.reason + ") lacks " +
                                            loader.missing() + ": use a driver for CUDA 12 or later");
  return api;
}

} // namespace hk::device
