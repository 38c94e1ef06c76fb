#include "sim/hip_surface/hksim.h"

#include "sim/hip_surface/call.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

std::size_t fault_text(Simulator& simulator, char* text, std::size_t size) {
  const Outcome<Device*> current = current_device(simulator);
  if (current && (*current)->faulted())
    return copy_text((*current)->fault().message, text, size);
  for (std::size_t i = 0; i < simulator.device_count(); ++i) {
    const Outcome<Device*> device = simulator.device(static_cast<int>(i));
    if (device && (*device)->faulted())
      return copy_text((*device)->fault().message, text, size);
  }
  return copy_text({}, text, size);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

const char* hksim_version(void) {
  return HK_SIM_VERSION;
}

size_t hksim_last_error(char* text, size_t size) {
  try {
    return copy_text(thread_state().message.data(), text, size);
  } catch (...) {
    return 0;
  }
}

size_t hksim_last_fault(char* text, size_t size) {
  size_t length = 0;
  const hipError_t status = call([&](Simulator& simulator) {
    length = fault_text(simulator, text, size);
    return Error();
  });
  return status == hipSuccess ? length : 0;
}

size_t hksim_profile_digest(int device, char* text, size_t size) {
  size_t length = 0;
  const hipError_t status = call([&](Simulator& simulator) {
    const Outcome<Device*> found = simulator.device(device);
    if (!found)
      return found.error();
    length = copy_text((*found)->profile().digest, text, size);
    return Error();
  });
  return status == hipSuccess ? length : 0;
}

int hksim_reset_fault(void) {
  return call([](Simulator& simulator) {
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    for (std::size_t i = 0; i < simulator.device_count(); ++i)
      if (const Outcome<Device*> device = simulator.device(static_cast<int>(i)))
        (*device)->reset_fault();
    return Error();
  });
}

} // extern "C"
#pragma GCC visibility pop
