#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/hip_surface/call.h"
#include "sim/runtime/kernel_facts.h"
#include "sim/runtime/kernel_launch.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

// The buffer that HIP_LAUNCH_PARAM_* entries describe.
Outcome<std::span<const std::byte>> buffer_of(void** extra) {
  const std::byte* begin = nullptr;
  const std::size_t* size = nullptr;
  constexpr std::size_t k_entries = 2; // a pointer and a size, in either order
  for (std::size_t i = 0; i < k_entries && extra[2 * i] != HIP_LAUNCH_PARAM_END; ++i) {
    if (extra[2 * i] == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      begin = static_cast<const std::byte*>(extra[2 * i + 1]);
    else if (extra[2 * i] == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      size = static_cast<const std::size_t*>(extra[2 * i + 1]);
    else
      return error(ErrorCode::invalid_value, "extra holds an entry that is no HIP_LAUNCH_PARAM_*");
  }
  if (size == nullptr || (begin == nullptr && *size != 0))
    return error(ErrorCode::invalid_value, "extra names no argument buffer or not its size");
  return std::span<const std::byte>(begin, *size);
}

Outcome<std::vector<std::byte>> arguments_of(const LoadedKernel& kernel, void** parameters, void** extra) {
  if (parameters != nullptr && extra != nullptr)
    return error(ErrorCode::invalid_value, "kernelParams and extra are both given; give one");
  if (extra == nullptr)
    return arguments_from_pointers(kernel, parameters);
  const Outcome<std::span<const std::byte>> buffer = buffer_of(extra);
  if (!buffer)
    return error(buffer.error());
  return arguments_from_bytes(kernel, *buffer);
}

Error launch(Simulator& simulator, const std::shared_ptr<const LoadedKernel>& kernel, const LaunchShape& shape,
             Stream& stream, void** parameters, void** extra) {
  if (&kernel->module->device() != &stream.device())
    return Error(ErrorCode::invalid_handle,
                 "kernel " + kernel->name() + " was loaded on another device than the stream's; load it on both");
  if (Error refused = check_launch(stream.device(), *kernel, shape); !refused.ok())
    return refused;
  Outcome<std::vector<std::byte>> arguments = arguments_of(*kernel, parameters, extra);
  if (!arguments)
    return std::move(arguments).error();
  const Outcome<CompletionPointer> queued =
      simulator.enqueue(stream, KernelLaunch{kernel, shape, std::move(*arguments)});
  return queued ? Error() : queued.error();
}

} // namespace

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                 unsigned int sharedMemBytes, hipStream_t stream, void** kernelParams, void** extra) {
  return call([&](Simulator& simulator) {
    const Outcome<std::shared_ptr<const LoadedKernel>> kernel = kernel_of(simulator, f);
    if (!kernel)
      return kernel.error();
    const Outcome<std::shared_ptr<Stream>> found = stream_of(simulator, stream);
    if (!found)
      return found.error();
    const LaunchShape shape{{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, sharedMemBytes};
    return launch(simulator, *kernel, shape, **found, kernelParams, extra);
  });
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attrib, hipFunction_t hfunc) {
  return call([&](Simulator& simulator) {
    if (value == nullptr)
      return null_parameter("value");
    const Outcome<std::shared_ptr<const LoadedKernel>> kernel = kernel_of(simulator, hfunc);
    if (!kernel)
      return kernel.error();
    const KernelFacts facts = facts_of(**kernel);
    switch (raw_value(attrib)) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = facts.max_workgroup_size;
      break;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = facts.static_lds_bytes;
      break;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = facts.scratch_bytes;
      break;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
      *value = facts.vector_registers;
      break;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = facts.dynamic_lds_limit;
      break;
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = facts.target_version;
      break;
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = 0;
      break;
    default:
      return Error(ErrorCode::invalid_value, "unknown function attribute " + std::to_string(raw_value(attrib)));
    }
    return Error();
  });
}

// Takes the handle of a module's kernel as `func`. Nothing needs to be kept: dynamic LDS is limited by the device
// alone.
hipError_t hipFuncSetAttribute(const void* func, hipFuncAttribute attr, int value) {
  return call([&](Simulator& simulator) {
    const Outcome<std::shared_ptr<const LoadedKernel>> kernel = kernel_of(simulator, func);
    if (!kernel)
      return Error(ErrorCode::invalid_device_function, kernel.error().message);
    if (raw_value(attr) == hipFuncAttributeMaxDynamicSharedMemorySize) {
      const int limit = facts_of(**kernel).dynamic_lds_limit;
      if (value < 0 || value > limit)
        return Error(ErrorCode::invalid_value, "kernel " + (*kernel)->name() + " can have 0 to " +
                                                   std::to_string(limit) + " bytes of dynamic LDS");
      return Error();
    }
    if (raw_value(attr) == hipFuncAttributePreferredSharedMemoryCarveout && value >= -1 && value <= 100)
      return Error();
    return Error(ErrorCode::invalid_value, "unknown function attribute or value");
  });
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, hipFunction_t f, int blockSize,
                                                              size_t dynSharedMemPerBlk) {
  return call([&](Simulator& simulator) {
    if (numBlocks == nullptr)
      return null_parameter("numBlocks");
    const Outcome<std::shared_ptr<const LoadedKernel>> kernel = kernel_of(simulator, f);
    if (!kernel)
      return kernel.error();
    if (blockSize <= 0 || blockSize > static_cast<int>(k_max_workgroup_size))
      return Error(ErrorCode::invalid_value, "a block has 1 to 1024 work-items");
    *numBlocks = workgroups_on_compute_unit(**kernel, static_cast<std::uint32_t>(blockSize), dynSharedMemPerBlk);
    return Error();
  });
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, hipFunction_t f, int blockSize,
                                                                       size_t dynSharedMemPerBlk, unsigned int flags) {
  if (flags != 0)
    return call([](Simulator&) { return Error(ErrorCode::invalid_value, "occupancy queries take no flags"); });
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, f, blockSize, dynSharedMemPerBlk);
}
