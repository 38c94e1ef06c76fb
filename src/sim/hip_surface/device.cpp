#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "sim/hip_surface/call.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

// Stream priorities as ROCm reports them: lower is more urgent.
constexpr int k_least_priority = 1;
constexpr int k_greatest_priority = -1;

Error copy_name(const std::string& name, char* to, int length) {
  if (to == nullptr || length <= 0)
    return null_parameter("the text buffer");
  if (static_cast<std::size_t>(length) <= name.size())
    return Error(ErrorCode::invalid_value, "the text buffer has room for " + std::to_string(length) +
                                               " characters of " + std::to_string(name.size() + 1));
  std::memcpy(to, name.c_str(), name.size() + 1);
  return {};
}

} // namespace

hipError_t hipInit(unsigned int flags) {
  return call(
      [&](Simulator&) { return flags == 0 ? Error() : Error(ErrorCode::invalid_value, "hipInit takes no flags"); });
}

hipError_t hipRuntimeGetVersion(int* runtimeVersion) {
  return call([&](Simulator&) {
    if (runtimeVersion == nullptr)
      return null_parameter("runtimeVersion");
    *runtimeVersion = HIP_VERSION;
    return Error();
  });
}

hipError_t hipDriverGetVersion(int* driverVersion) {
  return hipRuntimeGetVersion(driverVersion);
}

hipError_t hipGetDeviceCount(int* count) {
  if (count != nullptr)
    *count = 0;
  return call([&](Simulator& simulator) {
    if (count == nullptr)
      return null_parameter("count");
    *count = static_cast<int>(simulator.device_count());
    return Error();
  });
}

hipError_t hipGetDevice(int* deviceId) {
  return call([&](Simulator&) {
    if (deviceId == nullptr)
      return null_parameter("deviceId");
    *deviceId = thread_state().device;
    return Error();
  });
}

hipError_t hipSetDevice(int deviceId) {
  return call([&](Simulator& simulator) {
    const Outcome<Device*> device = simulator.device(deviceId);
    if (!device)
      return device.error();
    thread_state().device = deviceId;
    return Error();
  });
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  return call([&](Simulator& simulator) {
    if (device == nullptr)
      return null_parameter("device");
    const Outcome<Device*> found = simulator.device(ordinal);
    if (!found)
      return found.error();
    *device = ordinal;
    return Error();
  });
}

hipError_t hipDeviceGetName(char* name, int len, hipDevice_t device) {
  return call([&](Simulator& simulator) {
    const Outcome<Device*> found = simulator.device(device);
    return found ? copy_name((*found)->profile().market_name, name, len) : found.error();
  });
}

hipError_t hipDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  return call([&](Simulator& simulator) {
    const Outcome<Device*> found = simulator.device(device);
    if (!found)
      return found.error();
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "0000:%02x:00.0", static_cast<unsigned>(device) + 1);
    return copy_name(text.data(), pciBusId, len);
  });
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  return call([&](Simulator& simulator) {
    if (bytes == nullptr)
      return null_parameter("bytes");
    const Outcome<Device*> found = simulator.device(device);
    if (!found)
      return found.error();
    *bytes = (*found)->profile().memory_bytes;
    return Error();
  });
}

hipError_t hipDeviceSynchronize(void) {
  return call([](Simulator& simulator) {
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    if (Error refused = simulator.captures.check_device_wait(); !refused.ok())
      return refused;
    const Outcome<Device*> device = current_device(simulator);
    return device ? (*device)->synchronize() : device.error();
  });
}

hipError_t hipDeviceReset(void) {
  return call([](Simulator& simulator) {
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    const Outcome<Device*> device = current_device(simulator);
    if (!device)
      return device.error();
    simulator.reset(**device);
    return Error();
  });
}

hipError_t hipDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  return call([&](Simulator&) {
    if (leastPriority != nullptr)
      *leastPriority = k_least_priority;
    if (greatestPriority != nullptr)
      *greatestPriority = k_greatest_priority;
    return Error();
  });
}

hipError_t hipDeviceCanAccessPeer(int* canAccessPeer, int deviceId, int peerDeviceId) {
  return call([&](Simulator& simulator) {
    if (canAccessPeer == nullptr)
      return null_parameter("canAccessPeer");
    for (const int ordinal : {deviceId, peerDeviceId})
      if (const Outcome<Device*> device = simulator.device(ordinal); !device)
        return device.error();
    *canAccessPeer = deviceId == peerDeviceId ? 0 : 1;
    return Error();
  });
}

hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
  return call([&](Simulator& simulator) {
    const Outcome<Device*> device = current_device(simulator);
    const Outcome<Device*> peer = simulator.device(peerDeviceId);
    if (!device || !peer || *device == *peer)
      return Error(ErrorCode::invalid_device, "device " + std::to_string(peerDeviceId) + " is no peer of device " +
                                                  std::to_string(thread_state().device));
    if (flags != 0)
      return Error(ErrorCode::invalid_value, "hipDeviceEnablePeerAccess takes no flags");
    if (!(*device)->memory_map().enable_peer(static_cast<std::size_t>(peerDeviceId)))
      return Error(ErrorCode::peer_access_already_enabled, "peer access is enabled already");
    return Error();
  });
}

hipError_t hipDeviceDisablePeerAccess(int peerDeviceId) {
  return call([&](Simulator& simulator) {
    const Outcome<Device*> device = current_device(simulator);
    const Outcome<Device*> peer = simulator.device(peerDeviceId);
    if (!device || !peer || *device == *peer)
      return Error(ErrorCode::invalid_device, "device " + std::to_string(peerDeviceId) + " is no peer of device " +
                                                  std::to_string(thread_state().device));
    if (!(*device)->memory_map().disable_peer(static_cast<std::size_t>(peerDeviceId)))
      return Error(ErrorCode::peer_access_not_enabled, "peer access is not enabled");
    return Error();
  });
}
