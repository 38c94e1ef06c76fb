#pragma once
// HipApi: the functions of one HIP runtime, taken by dlsym from one handle. This folder alone includes HIP's headers.

#include <cstddef>

#define __HIP_PLATFORM_AMD__ 1 // NOLINT: HIP's headers want it
#include <hip/hip_runtime_api.h>

#include "base/status.h"
#include "device/hip/hip_libraries.h"

namespace hk::device {

struct HipApi {
  decltype(&::hipInit) init = nullptr;
  decltype(&::hipRuntimeGetVersion) runtime_version = nullptr;
  decltype(&::hipGetDeviceCount) device_count = nullptr;
  decltype(&::hipGetDeviceProperties) device_properties = nullptr; // of the R0600 layout
  decltype(&::hipGetDevice) get_device = nullptr;
  decltype(&::hipSetDevice) set_device = nullptr;
  decltype(&::hipGetErrorName) error_name = nullptr;
  decltype(&::hipGetLastError) last_error = nullptr;
  decltype(&::hipModuleLoadData) module_load_data = nullptr;
  decltype(&::hipModuleUnload) module_unload = nullptr;
  decltype(&::hipModuleGetFunction) module_get_function = nullptr;
  decltype(&::hipModuleLaunchKernel) module_launch_kernel = nullptr;
  decltype(&::hipPointerGetAttributes) pointer_attributes = nullptr;
  hipError_t (*memory_allocate)(void** pointer, std::size_t bytes) = nullptr; // hipMalloc; HIP overloads it in C++
  decltype(&::hipFree) memory_free = nullptr;
  decltype(&::hipMemcpyAsync) memory_copy_async = nullptr;
  decltype(&::hipStreamCreateWithFlags) stream_create = nullptr;
  decltype(&::hipStreamDestroy) stream_destroy = nullptr;
  decltype(&::hipStreamSynchronize) stream_synchronize = nullptr;
  decltype(&::hipStreamIsCapturing) stream_is_capturing = nullptr;
  decltype(&::hipThreadExchangeStreamCaptureMode) exchange_capture_mode = nullptr;
  decltype(&::hipDeviceSynchronize) device_synchronize = nullptr;
  decltype(&::hipEventCreate) event_create = nullptr;
  decltype(&::hipEventDestroy) event_destroy = nullptr;
  decltype(&::hipEventRecord) event_record = nullptr;
  decltype(&::hipEventSynchronize) event_synchronize = nullptr;
  decltype(&::hipEventElapsedTime) event_elapsed_time = nullptr;

  // Only the simulated runtime has these: they write one sentence about the fault of a device or the thread's last
  // failing call, or the digest of a device's profile, cut to size - 1 characters, and return its whole length, 0 if
  // there is none.
  std::size_t (*simulator_last_fault)(int device, char* text, std::size_t size) = nullptr;
  std::size_t (*simulator_last_error)(char* text, std::size_t size) = nullptr;
  std::size_t (*simulator_profile_digest)(int device, char* text, std::size_t size) = nullptr;
};

// Fails with no_runtime, naming the file and the first function that it lacks.
Result<HipApi> load_hip_api(const RuntimeLibrary& library);

} // namespace hk::device
