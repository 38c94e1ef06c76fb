#include "sim/hip_surface/call.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

namespace hk::sim::surface {
namespace {

thread_local ThreadState t_state;

hipError_t remember(hipError_t code, std::string_view message) noexcept {
  ThreadState& state = thread_state();
  state.last_error = code;
  const std::size_t length = std::min(message.size(), state.message.size() - 1);
  std::memcpy(state.message.data(), message.data(), length);
  state.message[length] = '\0';
  return code;
}

template <typename T>
Outcome<std::shared_ptr<T>> found_or_error(std::shared_ptr<T> object, const char* what) {
  if (object == nullptr)
    return error(ErrorCode::invalid_handle, std::string(what) + " is none that is alive; it may have been destroyed");
  return object;
}

} // namespace

ThreadState& thread_state() noexcept {
  static std::atomic<std::uint64_t> threads{0};
  if (t_state.id == 0)
    t_state.id = ++threads;
  return t_state;
}

hipError_t finish(const Error& error) noexcept {
  const hipError_t code = static_cast<hipError_t>(error.code);
  if (code == hipSuccess || code == hipErrorNotReady)
    return code;
  return remember(code, error.message);
}

hipError_t finish(hipError_t code, const char* message) noexcept {
  return remember(code, message);
}

Error null_parameter(const char* name) {
  return Error(ErrorCode::invalid_value, std::string(name) + " is null");
}

Outcome<Device*> current_device(Simulator& simulator) {
  return simulator.device(thread_state().device);
}

Outcome<Device*> usable_device(Simulator& simulator) {
  Outcome<Device*> device = current_device(simulator);
  if (device && (*device)->faulted())
    return error((*device)->fault());
  return device;
}

Outcome<std::shared_ptr<Stream>> stream_of(Simulator& simulator, hipStream_t handle) {
  const bool legacy = handle == nullptr || handle == hipStreamLegacy;
  if (legacy || handle == hipStreamPerThread) {
    const Outcome<Device*> device = current_device(simulator);
    if (!device)
      return error(device.error());
    return legacy ? (*device)->null_stream() : simulator.per_thread_stream(**device, thread_state().id);
  }
  return found_or_error(simulator.streams.find(handle), "the stream");
}

Outcome<std::shared_ptr<Event>> event_of(Simulator& simulator, hipEvent_t handle) {
  return found_or_error(simulator.events.find(handle), "the event");
}

Outcome<std::shared_ptr<LoadedModule>> module_of(Simulator& simulator, hipModule_t handle) {
  return found_or_error(simulator.modules.find(handle), "the module");
}

Outcome<std::shared_ptr<const LoadedKernel>> kernel_of(Simulator& simulator, const void* handle) {
  return found_or_error(simulator.functions.find(handle), "the kernel function");
}

std::size_t copy_text(const std::string& text, char* to, std::size_t size) {
  if (size != 0 && to != nullptr) {
    const std::size_t length = std::min(text.size(), size - 1);
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
  }
  return text.size();
}

} // namespace hk::sim::surface
