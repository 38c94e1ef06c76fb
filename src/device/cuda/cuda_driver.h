#pragma once
// CudaDriver: a device behind the CUDA driver, libcuda.so.1.

#include <memory>
#include <string>

#include "device/device_name.h"
#include "device/driver.h"

namespace hk::device {

// Opens cuda:N in its primary context, the one that the CUDA runtime and frameworks use. `library`: option
// runtime_library or HK_CUDA_LIBRARY; empty = libcuda.so.1. Fails with no_runtime or no_device and what was tried.
//
// CUDA says nothing about the handle of a destroyed stream, not even that it is one, so wait_for_launches() needs every
// stream on which launch() was called to be alive, or to be one of create_stream().
Result<std::unique_ptr<Driver>> open_cuda_driver(const DeviceName& name, const std::string& library);

} // namespace hk::device
