#include "sim/hip_surface/hksim.h"

#include "sim/hip_surface/call.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

// Copies what read(Device&) -> std::string says.
template <typename Read>
size_t text_of(int device, char* text, size_t size, Read&& read) {
  size_t length = 0;
  const hipError_t status = call([&](Simulator& simulator) {
    const Outcome<Device*> found = simulator.device(device);
    if (!found)
      return found.error();
    length = copy_text(read(**found), text, size);
    return Error();
  });
  return status == hipSuccess ? length : 0;
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

size_t hksim_last_fault(int device, char* text, size_t size) {
  return text_of(device, text, size,
                 [](Device& found) { return found.faulted() ? found.fault().message : std::string(); });
}

size_t hksim_profile_digest(int device, char* text, size_t size) {
  return text_of(device, text, size, [](Device& found) { return found.profile().digest; });
}

int hksim_set_launch_options(int device, const hksim_launch_options* options) {
  return call([&](Simulator& simulator) {
    const Outcome<Device*> found = simulator.device(device);
    if (!found)
      return found.error();
    if (options == nullptr || options->struct_size != sizeof *options)
      return Error(ErrorCode::invalid_value, "hksim_launch_options is null or of another release of the simulator");
    LaunchOptions wanted;
    wanted.max_wave_instructions = options->max_wave_instructions;
    wanted.turn = options->turn;
    wanted.forgive_missing_waits = options->forgive_missing_waits != 0;
    wanted.trace_lines = options->trace_lines;
    wanted.traced_workgroup = options->traced_workgroup;
    wanted.traced_wave = static_cast<std::uint32_t>(options->traced_wave);
    (*found)->launch_control().set_options(wanted);
    return Error();
  });
}

size_t hksim_last_launch(int device, char* text, size_t size) {
  return text_of(device, text, size, [](Device& found) { return found.launch_control().last_launch(); });
}

size_t hksim_last_trace(int device, char* text, size_t size) {
  return text_of(device, text, size, [](Device& found) { return found.launch_control().last_trace(); });
}

unsigned long long hksim_executed_instructions(int device) {
  unsigned long long count = 0;
  const hipError_t status = call([&](Simulator& simulator) {
    const Outcome<Device*> found = simulator.device(device);
    if (!found)
      return found.error();
    count = (*found)->executed_instructions();
    return Error();
  });
  return status == hipSuccess ? count : 0;
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
