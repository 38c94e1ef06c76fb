#include "device/cuda/cuda_driver.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "codeobj/cubin.h"
#include "device/cuda/cuda_api.h"
#include "device/cuda/cuda_scopes.h"
#include "device/used_streams.h"

namespace hk::device {
namespace {

// What every kernel gets without asking.
constexpr std::uint32_t k_default_shared_bytes = 48 * 1024;

// A stream or event that was destroyed or never existed.
bool is_stale_handle(CUresult error) {
  return error == CUDA_ERROR_INVALID_HANDLE || error == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

// Of a load that failed: not the code object's fault if the device could load nothing at all.
StatusCode code_of_load(CUresult error) {
  switch (error) {
  case CUDA_ERROR_OUT_OF_MEMORY:
    return StatusCode::out_of_memory;
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
    return StatusCode::launch_failed;
  default:
    return StatusCode::load_failed;
  }
}

std::string error_text(const CudaApi& api, CUresult error) {
  const char* name = nullptr;
  if (api.error_name(error, &name) != CUDA_SUCCESS || name == nullptr)
    name = "unknown error";
  return std::string(name) + " (" + std::to_string(error) + ")";
}

class CudaModule final : public Module {
 public:
  CudaModule(const CudaApi& api, CUcontext context, CUmodule module, std::string symbol)
      : m_api(api), m_context(context), m_module(module), m_symbol(std::move(symbol)) {}
  ~CudaModule() override {
    const RelaxedCapture relaxed(m_api);
    const CurrentContext current(m_api, m_context);
    (void)m_api.module_unload(m_module);
  }
  CudaModule(const CudaModule&) = delete;
  CudaModule& operator=(const CudaModule&) = delete;

  [[nodiscard]] CUfunction function() const { return m_function; }
  [[nodiscard]] const std::string& symbol() const { return m_symbol; }
  [[nodiscard]] std::uint32_t dynamic_shared_bytes() const { return m_dynamic_shared_bytes; }

  void set_function(CUfunction function, std::uint32_t dynamic_shared_bytes) {
    m_function = function;
    m_dynamic_shared_bytes = dynamic_shared_bytes;
  }

 private:
  const CudaApi& m_api; // of the driver, which outlives its modules
  CUcontext m_context;
  CUmodule m_module;
  CUfunction m_function = nullptr;
  std::uint32_t m_dynamic_shared_bytes = 0; // that every launch asks for
  std::string m_symbol;
};

class CudaDriver final : public Driver {
 public:
  // Takes over one retain of the device's primary context.
  CudaDriver(CudaApi api, CUdevice device, CUcontext context, DeviceInfo info)
      : m_api(api), m_device(device), m_context(context), m_info(std::move(info)) {}
  ~CudaDriver() override { (void)m_api.primary_context_release(m_device); }
  CudaDriver(const CudaDriver&) = delete;
  CudaDriver& operator=(const CudaDriver&) = delete;

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return m_info; }

  Result<std::unique_ptr<Module>> load(std::span<const std::byte> code_object, const std::string& symbol) override {
    HK_ASSIGN_OR_RETURN(const codeobj::CubinKernel kernel, codeobj::read_cubin_kernel(code_object, symbol));
    const RelaxedCapture relaxed(m_api);
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    CUmodule handle = nullptr;
    CUresult error = m_api.module_load_data(&handle, code_object.data());
    if (error != CUDA_SUCCESS)
      return fail(failure(code_of_load(error), "cuModuleLoadData(" + symbol + ")", error));
    auto module = std::make_unique<CudaModule>(m_api, m_context, handle, symbol);
    CUfunction function = nullptr;
    error = m_api.module_get_function(&function, handle, symbol.c_str());
    if (error != CUDA_SUCCESS)
      return fail(failure(code_of_load(error), "cuModuleGetFunction(" + symbol + ")", error));
    const std::uint32_t shared_bytes = kernel.resources.dynamic_lds_bytes;
    if (shared_bytes > k_default_shared_bytes) {
      error = m_api.function_set_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                           static_cast<int>(shared_bytes));
      if (error != CUDA_SUCCESS)
        return fail(failure(StatusCode::load_failed,
                            "cuFuncSetAttribute(" + symbol + ", " + std::to_string(shared_bytes) +
                                " bytes of shared memory; a block may have " + std::to_string(m_info.lds_bytes) + ")",
                            error));
    }
    module->set_function(function, shared_bytes);
    return module;
  }

  Status launch(const Module& module, LaunchShape shape, std::span<const std::byte> arguments, Stream stream) override {
    const auto& loaded = static_cast<const CudaModule&>(module);
    std::size_t bytes = arguments.size();
    // CUDA's way to hand over all parameters at once: key, value, key, value, end.
    void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<std::byte*>(arguments.data()),
                      CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    const CurrentContext current(m_api, m_context);
    CUresult error = current.error();
    if (error == CUDA_SUCCESS)
      error = m_api.launch_kernel(loaded.function(), shape.workgroups, shape.workgroups_y, shape.workgroups_z,
                                  shape.workgroup_size, shape.workgroup_size_y, shape.workgroup_size_z,
                                  shape.dynamic_lds_bytes + loaded.dynamic_shared_bytes(), as_stream(stream), nullptr,
                                  packed);
    if (error != CUDA_SUCCESS)
      return failure(StatusCode::launch_failed, "cuLaunchKernel(" + loaded.symbol() + ")", error);
    m_used_streams.note(stream);
    return {};
  }

  Status wait_for_launches() override {
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    const std::vector<Stream> streams = m_used_streams.list();
    // One handle stands for a stream of every thread.
    const bool reachable = std::find(streams.begin(), streams.end(), Stream(CU_STREAM_PER_THREAD)) == streams.end();
    if (!reachable || !m_used_streams.complete())
      return wait_for_device();
    const RelaxedCapture relaxed(m_api);
    for (const Stream stream : streams)
      if (const Result<bool> capturing = is_capturing(stream); capturing && *capturing)
        return captured("a stream on which its kernels were launched is being captured, or waits for one that is");
    Status first;
    for (const Stream stream : streams) {
      const CUresult error = m_api.stream_synchronize(as_stream(stream));
      // A stream of the program's own that is gone: it should have outlived the context (see open_cuda_driver).
      if (error != CUDA_SUCCESS && !is_stale_handle(error) && first.ok())
        first = failure(StatusCode::launch_failed, "cuStreamSynchronize", error);
    }
    return first;
  }

  Result<bool> is_capturing(Stream stream) override {
    const CurrentContext current(m_api, m_context);
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult error = current.error();
    if (error == CUDA_SUCCESS)
      error = m_api.stream_is_capturing(as_stream(stream), &capture);
    // The default stream cannot be used while a stream that it waits for is being captured.
    if (error == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
      return true;
    if (error != CUDA_SUCCESS)
      return fail(failure(StatusCode::launch_failed, "cuStreamIsCapturing", error));
    return capture != CU_STREAM_CAPTURE_STATUS_NONE;
  }

  PointerPlace place_of(const void* pointer) noexcept override {
    unsigned type = 0;
    unsigned managed = 0;
    int ordinal = -1;
    std::array<CUpointer_attribute, 3> attributes = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                                     CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    std::array<void*, 3> values = {&type, &managed, &ordinal};
    // One call for all three; of memory that it does not know it says type 0.
    if (m_api.pointer_attributes(static_cast<unsigned>(attributes.size()), attributes.data(), values.data(),
                                 as_address(pointer)) != CUDA_SUCCESS)
      return PointerPlace::host;
    if (managed != 0)
      return PointerPlace::this_device;
    if (type != CU_MEMORYTYPE_DEVICE)
      return PointerPlace::host;
    return ordinal == m_device ? PointerPlace::this_device : PointerPlace::other_device;
  }

  Result<void*> allocate(std::size_t bytes) override {
    const RelaxedCapture relaxed(m_api);
    const CurrentContext current(m_api, m_context);
    CUdeviceptr address = 0;
    CUresult error = current.error();
    if (error == CUDA_SUCCESS)
      error = m_api.memory_allocate(&address, bytes);
    if (error != CUDA_SUCCESS)
      return fail(failure(error == CUDA_ERROR_OUT_OF_MEMORY ? StatusCode::out_of_memory : StatusCode::launch_failed,
                          "cuMemAlloc(" + std::to_string(bytes) + " bytes)", error));
    return reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr): CUDA's device pointers are integers
  }

  Status free(void* pointer) override {
    const RelaxedCapture relaxed(m_api);
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    // cuMemFree would free it, whichever context is current.
    if (place_of(pointer) == PointerPlace::other_device)
      return {StatusCode::invalid_argument, "free on " + m_info.device +
                                                ": the pointer is memory of another device; free it with a context "
                                                "of that device"};
    const CUresult error = m_api.memory_free(as_address(pointer));
    if (error == CUDA_ERROR_INVALID_VALUE)
      return failure(StatusCode::invalid_argument, "cuMemFree: the pointer is not memory of hk_memory_allocate", error);
    return check(error, "cuMemFree");
  }

  Status copy(void* destination, const void* source, std::size_t bytes, Stream stream) override {
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    const std::string call = "cuMemcpyAsync(" + std::to_string(bytes) + " bytes)";
    const CUresult error =
        m_api.memory_copy_async(as_address(destination), as_address(source), bytes, as_stream(stream));
    if (error == CUDA_ERROR_INVALID_VALUE)
      return failure(StatusCode::invalid_argument, call + ": source or destination is not valid memory", error);
    if (error != CUDA_SUCCESS)
      return failure(StatusCode::launch_failed, call, error);
    return check(m_api.stream_synchronize(as_stream(stream)), "cuStreamSynchronize after a copy");
  }

  Result<Stream> create_stream() override {
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    CUstream stream = nullptr;
    HK_RETURN_IF_ERROR(check(m_api.stream_create(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate"));
    return static_cast<Stream>(stream);
  }

  Status destroy_stream(Stream stream) override {
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    // The driver lets its work go on, and a destroyed handle may never be touched again.
    const Result<bool> capturing = is_capturing(stream);
    if (capturing && !*capturing)
      HK_RETURN_IF_ERROR(check(m_api.stream_synchronize(as_stream(stream)), "cuStreamSynchronize before its end"));
    m_used_streams.forget(stream);
    return check(m_api.stream_destroy(as_stream(stream)), "cuStreamDestroy");
  }

  Status synchronize(Stream stream) override {
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    return check(m_api.stream_synchronize(as_stream(stream)), "cuStreamSynchronize");
  }

  Result<Event> create_event() override {
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    CUevent event = nullptr;
    HK_RETURN_IF_ERROR(check(m_api.event_create(&event, CU_EVENT_DEFAULT), "cuEventCreate"));
    return static_cast<Event>(event);
  }

  Status destroy_event(Event event) override {
    const CurrentContext current(m_api, m_context);
    return check(m_api.event_destroy(static_cast<CUevent>(event)), "cuEventDestroy");
  }

  Status record(Event event, Stream stream) override {
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    return check(m_api.event_record(static_cast<CUevent>(event), as_stream(stream)), "cuEventRecord");
  }

  Result<double> elapsed(Event start, Event stop) override {
    const CurrentContext current(m_api, m_context);
    HK_RETURN_IF_ERROR(check(current.error(), "cuCtxPushCurrent"));
    HK_RETURN_IF_ERROR(check(m_api.event_synchronize(static_cast<CUevent>(stop)), "cuEventSynchronize"));
    float milliseconds = 0;
    HK_RETURN_IF_ERROR(
        check(m_api.event_elapsed_time(&milliseconds, static_cast<CUevent>(start), static_cast<CUevent>(stop)),
              "cuEventElapsedTime"));
    return static_cast<double>(milliseconds) * 1000.0;
  }

 private:
  static CUstream as_stream(Stream stream) { return static_cast<CUstream>(stream); }
  static CUdeviceptr as_address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

  [[nodiscard]] Status failure(StatusCode code, const std::string& call, CUresult error) const {
    std::string message = call + " on " + m_info.device + ": " + error_text(m_api, error);
    if (code == StatusCode::launch_failed && is_stale_handle(error)) {
      code = StatusCode::invalid_argument;
      message += "; the stream or event is none of this device that is alive, or the device was reset";
    }
    return {code, std::move(message)};
  }

  // Breaks captures of any stream of the context, so it is the last resort.
  [[nodiscard]] Status wait_for_device() const {
    const CUresult error = m_api.context_synchronize();
    if (error == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
      return captured("the device cannot be waited for while a stream is captured");
    return check(error, "cuCtxSynchronize");
  }

  [[nodiscard]] Status captured(const char* why) const {
    return {StatusCode::invalid_argument, "the kernels of " + m_info.device + " may be in use: " + why +
                                              "; end the capture, then destroy the context"};
  }

  [[nodiscard]] Status check(CUresult error, const char* call) const {
    return error == CUDA_SUCCESS ? Status() : failure(StatusCode::launch_failed, call, error);
  }

  CudaApi m_api;
  CUdevice m_device; // also its ordinal
  CUcontext m_context;
  DeviceInfo m_info;
  UsedStreams m_used_streams;
};

Result<RuntimeLibrary> open_cuda_library(const std::string& requested) {
  std::string tried;
  RuntimeLibrary library =
      requested.empty() ? open_runtime_library("libcuda.so.1", 0, "found by the system's library search", tried)
                        : open_runtime_library(requested, 0, "asked for by runtime_library or HK_CUDA_LIBRARY", tried);
  if (library.handle == nullptr)
    return fail(StatusCode::no_runtime, "the CUDA driver cannot be loaded (" + tried + "): " +
                                            (requested.empty() ? "install the NVIDIA driver, or set HK_CUDA_LIBRARY"
                                                               : "correct or unset runtime_library and "
                                                                 "HK_CUDA_LIBRARY"));
  return library;
}

int attribute_of(const CudaApi& api, CUdevice device, CUdevice_attribute attribute) {
  int value = 0;
  return api.device_attribute(&value, attribute, device) == CUDA_SUCCESS ? value : 0;
}

DeviceInfo describe(const CudaApi& api, CUdevice device, const RuntimeLibrary& library) {
  DeviceInfo info;
  std::array<char, 256> name{};
  if (api.device_name(name.data(), static_cast<int>(name.size()) - 1, device) == CUDA_SUCCESS)
    info.product = name.data();
  const auto attribute = [&](CUdevice_attribute which) { return attribute_of(api, device, which); };
  info.target = "sm_" + std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) +
                std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  info.compute_units = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.lds_bytes = static_cast<std::uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  info.clock_mhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000;
  std::size_t memory = 0;
  if (api.device_memory(&memory, device) == CUDA_SUCCESS)
    info.memory = memory;
  int version = 0; // 13000 is 13.0
  if (api.driver_version(&version) == CUDA_SUCCESS)
    info.runtime_version = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  info.runtime_library = library.path;
  info.runtime_reason = library.reason;
  return info;
}

Status no_such_device(const DeviceName& name, const RuntimeLibrary& library, const std::string& what) {
  return {StatusCode::no_device, "device " + name.to_string() + " cannot be used: " + library.path + " (" +
                                     library.reason + ") " + what +
                                     "; check CUDA_VISIBLE_DEVICES and what nvidia-smi shows"};
}

} // namespace

Result<std::unique_ptr<Driver>> open_cuda_driver(const DeviceName& name, const std::string& requested) {
  HK_ASSIGN_OR_RETURN(const RuntimeLibrary library, open_cuda_library(requested));
  HK_ASSIGN_OR_RETURN(const CudaApi api, load_cuda_api(library));
  int count = 0;
  CUresult error = api.init(0);
  if (error == CUDA_SUCCESS)
    error = api.device_count(&count);
  if (error != CUDA_SUCCESS)
    return fail(no_such_device(name, library, "shows no device, " + error_text(api, error)));
  if (name.ordinal >= count)
    return fail(no_such_device(name, library, "shows " + std::to_string(count) + " devices"));
  CUdevice device = 0;
  CUcontext context = nullptr;
  error = api.device_get(&device, name.ordinal);
  if (error == CUDA_SUCCESS)
    error = api.primary_context_retain(&context, device);
  if (error != CUDA_SUCCESS)
    return fail(no_such_device(name, library, "gives it no context, " + error_text(api, error)));
  DeviceInfo info = describe(api, device, library);
  info.device = name.to_string();
  return std::make_unique<CudaDriver>(api, device, context, std::move(info));
}

} // namespace hk::device
