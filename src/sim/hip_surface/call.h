#pragma once
// What every exported function shares: the guard around it, the calling thread's state, and looking up handles.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

// The definitions of these functions are what the library exports.
#pragma GCC visibility push(default)
#include <hip/hip_runtime_api.h>
#pragma GCC visibility pop

#include "sim/runtime/process_simulator.h"
#include "sim/runtime/simulator.h"

namespace hk::sim::surface {

// No destructors: a thread that outlives the library must have nothing to run.
struct ThreadState {
  std::uint64_t id = 0; // unique in the process; 0 before the thread's first call
  int device = 0;
  CaptureMode capture_mode = CaptureMode::global;
  hipError_t last_error = hipSuccess;
  std::array<char, 1024> message{}; // about last_error
};

ThreadState& thread_state() noexcept;
inline CaptureThread capture_thread() noexcept {
  return {thread_state().id, thread_state().capture_mode};
}

// Makes the error the thread's last one, unless it is none. hipErrorNotReady is an answer and no error.
hipError_t finish(const Error& error) noexcept;
hipError_t finish(hipError_t code, const char* message) noexcept;

// Runs body(simulator) -> Error with exceptions kept in.
template <typename Body>
hipError_t call(Body&& body) noexcept {
  try {
    const Outcome<SimulatorUse> use = SimulatorUse::begin();
    if (!use)
      return finish(use.error());
    return finish(body(**use));
  } catch (const std::bad_alloc&) {
    return finish(hipErrorOutOfMemory, "the host has no memory left for the simulator; free some");
  } catch (const std::exception& exception) {
    return finish(hipErrorUnknown, exception.what());
  } catch (...) {
    return finish(hipErrorUnknown, "an exception of unknown type inside the simulator");
  }
}

// The number behind an enumeration that a C caller may have filled with anything; reading such a value as the
// enumeration would be undefined.
template <typename Enumeration>
int raw_value(const Enumeration& value) {
  static_assert(sizeof(Enumeration) == sizeof(int));
  int raw = 0;
  std::memcpy(&raw, &value, sizeof raw);
  return raw;
}

// Error(invalid_value) naming the parameter.
Error null_parameter(const char* name);

Outcome<Device*> current_device(Simulator& simulator);
// The same, but fails with the device's fault if there is one.
Outcome<Device*> usable_device(Simulator& simulator);

// Knows the null stream, hipStreamLegacy and hipStreamPerThread. Fails with invalid_handle.
Outcome<std::shared_ptr<Stream>> stream_of(Simulator& simulator, hipStream_t handle);
Outcome<std::shared_ptr<Event>> event_of(Simulator& simulator, hipEvent_t handle);
Outcome<std::shared_ptr<LoadedModule>> module_of(Simulator& simulator, hipModule_t handle);
Outcome<std::shared_ptr<const LoadedKernel>> kernel_of(Simulator& simulator, const void* handle);

inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
inline void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address); // NOLINT(performance-no-int-to-ptr): device addresses are numbers here
}

// hksim.h's contract.
std::size_t copy_text(const std::string& text, char* to, std::size_t size);

} // namespace hk::sim::surface
