// std headers come before HIP's: its macros break some of them.
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "device/hip/hip_driver.h"

#include "device/hip/hip_api.h"
#include "device/hip/hip_libraries.h"
#include "device/used_streams.h"

namespace hk::device {
namespace {

// Makes the context's device current for one call and restores the thread's own.
class CurrentDevice {
 public:
  CurrentDevice(const HipApi& api, int ordinal) : m_api(api) {
    if (m_api.get_device(&m_previous) != hipSuccess || m_previous == ordinal)
      m_previous = -1;
    else
      m_error = m_api.set_device(ordinal);
  }
  ~CurrentDevice() {
    if (m_previous >= 0)
      (void)m_api.set_device(m_previous);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  [[nodiscard]] hipError_t error() const { return m_error; }

 private:
  const HipApi& m_api;
  int m_previous = -1;
  hipError_t m_error = hipSuccess;
};

// While it lives, calls of this thread that a capture cannot see are neither refused because of a capture elsewhere nor
// break it.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(const HipApi& api) : m_api(api) { (void)m_api.exchange_capture_mode(&m_mode); }
  ~RelaxedCapture() { (void)m_api.exchange_capture_mode(&m_mode); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  const HipApi& m_api;
  hipStreamCaptureMode m_mode = hipStreamCaptureModeRelaxed; // after the exchange: what it was before
};

// A stream or event that was destroyed or never existed, as the simulated and the real runtime say it.
bool is_stale_handle(hipError_t error) {
  return error == hipErrorInvalidHandle || error == hipErrorContextIsDestroyed;
}

// Of a load that failed: not the code object's fault if the device could load nothing at all.
StatusCode code_of_load(hipError_t error) {
  switch (error) {
  case hipErrorOutOfMemory:
    return StatusCode::out_of_memory;
  case hipErrorIllegalAddress:
  case hipErrorLaunchFailure:
  case hipErrorLaunchTimeOut:
  case hipErrorAssert:
  case hipErrorECCNotCorrectable:
  case hipErrorStreamCaptureUnsupported:
    return StatusCode::launch_failed;
  default:
    return StatusCode::load_failed;
  }
}

// What write(text, size) of the simulated runtime has to say.
template <typename Write>
std::string written_by(Write&& write) {
  std::string text(write(nullptr, 0) + 1, '\0');
  text.resize(std::min(write(text.data(), text.size()), text.size() - 1));
  return text;
}

// Both are empty if there is none, and from a real runtime.
std::string simulated_error(const HipApi& api) {
  return api.simulator_last_error == nullptr ? std::string() : written_by(api.simulator_last_error);
}
std::string simulated_fault(const HipApi& api, int ordinal) {
  if (api.simulator_last_fault == nullptr)
    return {};
  return written_by([&](char* text, std::size_t size) { return api.simulator_last_fault(ordinal, text, size); });
}

class HipModule final : public Module {
 public:
  HipModule(const HipApi& api, int ordinal, hipModule_t module, hipFunction_t function, std::string symbol)
      : m_api(api), m_ordinal(ordinal), m_module(module), m_function(function), m_symbol(std::move(symbol)) {}
  ~HipModule() override {
    const CurrentDevice current(m_api, m_ordinal);
    (void)m_api.module_unload(m_module);
  }
  HipModule(const HipModule&) = delete;
  HipModule& operator=(const HipModule&) = delete;

  [[nodiscard]] hipFunction_t function() const { return m_function; }
  [[nodiscard]] const std::string& symbol() const { return m_symbol; }

 private:
  const HipApi& m_api; // of the driver, which outlives its modules
  int m_ordinal;
  hipModule_t m_module;
  hipFunction_t m_function;
  std::string m_symbol;
};

class HipDriver final : public Driver {
 public:
  HipDriver(HipApi api, int ordinal, DeviceInfo info) : m_api(api), m_ordinal(ordinal), m_info(std::move(info)) {}

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return m_info; }

  Result<std::unique_ptr<Module>> load(std::span<const std::byte> code_object, const std::string& symbol) override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    hipModule_t module = nullptr;
    hipError_t error = m_api.module_load_data(&module, code_object.data());
    if (error != hipSuccess)
      return fail(failure(code_of_load(error), "hipModuleLoadData(" + symbol + ")", error));
    hipFunction_t function = nullptr;
    error = m_api.module_get_function(&function, module, symbol.c_str());
    if (error != hipSuccess) {
      Status status = failure(code_of_load(error), "hipModuleGetFunction(" + symbol + ")", error);
      (void)m_api.module_unload(module);
      return fail(std::move(status));
    }
    return std::make_unique<HipModule>(m_api, m_ordinal, module, function, symbol);
  }

  Status launch(const Module& module, LaunchShape shape, std::span<const std::byte> arguments, Stream stream) override {
    const auto& loaded = static_cast<const HipModule&>(module);
    std::size_t bytes = arguments.size();
    // HIP's way to hand over the whole kernarg segment: key, value, key, value, end.
    void* packed[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, const_cast<std::byte*>(arguments.data()),
                      HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
    const CurrentDevice current(m_api, m_ordinal);
    hipError_t error = current.error();
    if (error == hipSuccess)
      error = m_api.module_launch_kernel(loaded.function(), shape.workgroups, shape.workgroups_y, shape.workgroups_z,
                                         shape.workgroup_size, shape.workgroup_size_y, shape.workgroup_size_z,
                                         shape.dynamic_lds_bytes, as_stream(stream), nullptr, packed);
    if (error != hipSuccess)
      return failure(StatusCode::launch_failed, "hipModuleLaunchKernel(" + loaded.symbol() + ")", error);
    m_used_streams.note(stream);
    return {};
  }

  Status wait_for_launches() override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    const std::vector<Stream> streams = m_used_streams.list();
    const bool reachable = std::find(streams.begin(), streams.end(), Stream(hipStreamPerThread)) == streams.end();
    if (!reachable || !m_used_streams.complete())
      return wait_for_device();
    const RelaxedCapture relaxed(m_api);
    for (const Stream stream : streams)
      if (const Result<bool> capturing = is_capturing(stream); capturing && *capturing)
        return captured("a stream on which its kernels were launched is being captured, or waits for one that is");
    Status first;
    for (const Stream stream : streams) {
      const hipError_t error = m_api.stream_synchronize(as_stream(stream));
      // Runtimes finish the work of a stream that they destroy.
      if (error != hipSuccess && !is_stale_handle(error) && first.ok())
        first = failure(StatusCode::launch_failed, "hipStreamSynchronize", error);
    }
    return first;
  }

  Result<bool> is_capturing(Stream stream) override {
    const CurrentDevice current(m_api, m_ordinal);
    hipStreamCaptureStatus capture = hipStreamCaptureStatusNone;
    const hipError_t error = m_api.stream_is_capturing(as_stream(stream), &capture);
    // The default stream cannot be used while a stream that it waits for is being captured.
    if (error == hipErrorStreamCaptureImplicit)
      return true;
    if (error != hipSuccess)
      return fail(failure(StatusCode::launch_failed, "hipStreamIsCapturing", error));
    return capture != hipStreamCaptureStatusNone;
  }

  PointerPlace place_of(const void* pointer) noexcept override {
    hipPointerAttribute_t attributes{};
    if (m_api.pointer_attributes(&attributes, pointer) != hipSuccess) {
      (void)m_api.last_error(); // the refusal is reported by us and must not be blamed on the host's next HIP call
      return PointerPlace::host;
    }
    if (attributes.isManaged != 0 || attributes.type == hipMemoryTypeManaged)
      return PointerPlace::this_device;
    if (attributes.type != hipMemoryTypeDevice)
      return PointerPlace::host;
    return attributes.device == m_ordinal ? PointerPlace::this_device : PointerPlace::other_device;
  }

  Result<void*> allocate(std::size_t bytes) override {
    const RelaxedCapture relaxed(m_api);
    const CurrentDevice current(m_api, m_ordinal);
    void* pointer = nullptr;
    hipError_t error = current.error();
    if (error == hipSuccess)
      error = m_api.memory_allocate(&pointer, bytes);
    if (error != hipSuccess)
      return fail(failure(error == hipErrorOutOfMemory ? StatusCode::out_of_memory : StatusCode::launch_failed,
                          "hipMalloc(" + std::to_string(bytes) + " bytes)", error));
    return pointer;
  }

  Status free(void* pointer) override {
    const RelaxedCapture relaxed(m_api);
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    // hipFree would free it, whichever device is current.
    if (place_of(pointer) == PointerPlace::other_device)
      return {StatusCode::invalid_argument, "free on " + m_info.device +
                                                ": the pointer is memory of another device; free it with a context "
                                                "of that device"};
    const hipError_t error = m_api.memory_free(pointer);
    if (error == hipErrorInvalidValue || error == hipErrorInvalidDevicePointer)
      return failure(StatusCode::invalid_argument, "hipFree: the pointer is not memory of hk_memory_allocate", error);
    return check(error, "hipFree");
  }

  Status copy(void* destination, const void* source, std::size_t bytes, Stream stream) override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    const hipError_t error = m_api.memory_copy_async(destination, source, bytes, hipMemcpyDefault, as_stream(stream));
    if (error == hipErrorInvalidValue)
      return failure(StatusCode::invalid_argument,
                     "hipMemcpyAsync(" + std::to_string(bytes) + " bytes): source or destination is not valid memory",
                     error);
    if (error != hipSuccess)
      return failure(StatusCode::launch_failed, "hipMemcpyAsync(" + std::to_string(bytes) + " bytes)", error);
    return check(m_api.stream_synchronize(as_stream(stream)), "hipStreamSynchronize after a copy");
  }

  Result<Stream> create_stream() override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    hipStream_t stream = nullptr;
    HK_RETURN_IF_ERROR(check(m_api.stream_create(&stream, hipStreamNonBlocking), "hipStreamCreateWithFlags"));
    return static_cast<Stream>(stream);
  }

  Status destroy_stream(Stream stream) override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    return check(m_api.stream_destroy(as_stream(stream)), "hipStreamDestroy");
  }

  Status synchronize(Stream stream) override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    return check(m_api.stream_synchronize(as_stream(stream)), "hipStreamSynchronize");
  }

  Result<Event> create_event() override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    hipEvent_t event = nullptr;
    HK_RETURN_IF_ERROR(check(m_api.event_create(&event), "hipEventCreate"));
    return static_cast<Event>(event);
  }

  Status destroy_event(Event event) override {
    return check(m_api.event_destroy(static_cast<hipEvent_t>(event)), "hipEventDestroy");
  }

  Status record(Event event, Stream stream) override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    return check(m_api.event_record(static_cast<hipEvent_t>(event), as_stream(stream)), "hipEventRecord");
  }

  Result<double> elapsed(Event start, Event stop) override {
    const CurrentDevice current(m_api, m_ordinal);
    HK_RETURN_IF_ERROR(check(current.error(), "hipSetDevice"));
    HK_RETURN_IF_ERROR(check(m_api.event_synchronize(static_cast<hipEvent_t>(stop)), "hipEventSynchronize"));
    float milliseconds = 0;
    HK_RETURN_IF_ERROR(
        check(m_api.event_elapsed_time(&milliseconds, static_cast<hipEvent_t>(start), static_cast<hipEvent_t>(stop)),
              "hipEventElapsedTime"));
    return static_cast<double>(milliseconds) * 1000.0;
  }

 private:
  static hipStream_t as_stream(Stream stream) { return static_cast<hipStream_t>(stream); }

  [[nodiscard]] Status failure(StatusCode code, const std::string& call, hipError_t error) const {
    std::string message =
        call + " on " + m_info.device + ": " + m_api.error_name(error) + " (" + std::to_string(error) + ")";
    if (code == StatusCode::launch_failed && is_stale_handle(error)) {
      code = StatusCode::invalid_argument;
      message += "; the stream or event is none of this device that is alive, or the device was reset";
    }
    std::string fault = simulated_fault(m_api, m_ordinal);
    if (!fault.empty())
      return {code, std::move(message) + "; the device fault is in the detail", std::move(fault)};
    return {code, std::move(message), simulated_error(m_api)};
  }

  // Breaks captures of any stream of the process, so it is the last resort.
  [[nodiscard]] Status wait_for_device() const {
    const hipError_t error = m_api.device_synchronize();
    if (error == hipErrorStreamCaptureUnsupported)
      return captured("the device cannot be waited for while a stream is captured");
    return check(error, "hipDeviceSynchronize");
  }

  [[nodiscard]] Status captured(const char* why) const {
    return {StatusCode::invalid_argument, "the kernels of " + m_info.device + " may be in use: " + why +
                                              "; end the capture, then destroy the context"};
  }

  [[nodiscard]] Status check(hipError_t error, const char* call) const {
    return error == hipSuccess ? Status() : failure(StatusCode::launch_failed, call, error);
  }

  HipApi m_api;
  int m_ordinal;
  DeviceInfo m_info;
  UsedStreams m_used_streams;
};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

// "6.4.43484" from HIP's one number.
std::string version_text(int version) {
  return std::to_string(version / 10'000'000) + "." + std::to_string(version / 100'000 % 100) + "." +
         std::to_string(version % 100'000);
}

DeviceInfo describe(const hipDeviceProp_t& properties, const RuntimeLibrary& library, int runtime_version) {
  DeviceInfo info;
  info.product = properties.name;
  info.target = properties.gcnArchName;
  info.compute_units = properties.multiProcessorCount;
  info.memory = properties.totalGlobalMem;
  info.lds_bytes = properties.sharedMemPerBlock;
  info.clock_mhz = properties.clockRate / 1000;
  info.runtime_library = library.path;
  info.runtime_reason = library.reason;
  info.runtime_version = version_text(runtime_version);
  return info;
}

Status no_such_device(const DeviceName& name, const RuntimeLibrary& library, const std::string& shown) {
  std::string remedy = name.kind == DeviceKind::simulated
                           ? "let HK_SIM_DEVICES include it"
                           : "check HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES and access to /dev/kfd, or choose a "
                             "simulated device such as HK_DEVICE=sim:mi300x";
  return {StatusCode::no_device, "device " + name.to_string() + " does not exist: " + library.path + " (" +
                                     library.reason + ") shows " + shown + "; " + remedy};
}

} // namespace

Result<std::unique_ptr<Driver>> open_hip_driver(const DeviceName& name, const HipLibraries& libraries) {
  const bool simulated = name.kind == DeviceKind::simulated;
  HK_ASSIGN_OR_RETURN(const RuntimeLibrary library,
                      simulated ? open_simulator_library(libraries.simulator) : open_hip_library(libraries.runtime));
  HK_ASSIGN_OR_RETURN(const HipApi api, load_hip_api(library));

  int count = 0;
  hipError_t error = api.init(0);
  if (error == hipSuccess)
    error = api.device_count(&count);
  if (error != hipSuccess) {
    const std::string reason = simulated_error(api);
    return fail(no_such_device(
        name, library, "no device, " + std::string(api.error_name(error)) + (reason.empty() ? "" : ": " + reason)));
  }

  std::string shown;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    hipDeviceProp_t properties{};
    if (api.device_properties(&properties, ordinal) != hipSuccess)
      continue;
    shown += (shown.empty() ? "" : ", ") + std::string(properties.name);
    if (simulated ? lower_case(properties.name).find(name.profile) == std::string::npos : ordinal != name.ordinal)
      continue;
    int runtime_version = 0;
    (void)api.runtime_version(&runtime_version);
    DeviceInfo info = describe(properties, library, runtime_version);
    info.device = name.to_string();
    info.simulated = simulated;
    if (api.simulator_profile_digest != nullptr)
      info.profile =
          written_by([&](char* text, std::size_t size) { return api.simulator_profile_digest(ordinal, text, size); });
    return std::make_unique<HipDriver>(api, ordinal, std::move(info));
  }
  return fail(no_such_device(name, library, shown.empty() ? "no device" : shown));
}

} // namespace hk::device
