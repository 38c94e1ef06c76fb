#include "sim_run_simulator.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/config.h"
#include "device/device_name.h"
#include "device/open_device.h"
#include "hk/hk.h"

namespace hk::command {
namespace {

// Its only device, see open().
constexpr int k_ordinal = 0;

// An installed libhk has its simulator beside it, wherever this program lies. Empty: not there.
std::string simulator_beside_libhk() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&hk_version), &info) == 0 || info.dli_fname == nullptr)
    return {};
  const std::string library = info.dli_fname;
  const std::size_t slash = library.rfind('/');
  const std::string path = (slash == std::string::npos ? "." : library.substr(0, slash)) + "/hk/libhksim.so";
  return access(path.c_str(), R_OK) == 0 ? path : std::string();
}

template <typename Function>
void load(void* library, Function& function, const char* name, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr && missing.empty())
    missing = name;
}

} // namespace

Result<SimulatedDevice> SimulatedDevice::open(const std::string& name) {
  HK_ASSIGN_OR_RETURN(const device::DeviceName parsed, device::parse_device_name(name));
  if (parsed.kind != device::DeviceKind::simulated)
    return fail(StatusCode::invalid_argument,
                "device \"" + name + "\" is not simulated: use sim:mi300x, sim:mi325x or sim:mi355x");
  // hksim.h counts devices, names are HIP's: with one device there is nothing to confuse.
  setenv("HK_SIM_DEVICES", parsed.profile.c_str(), 1);
  HK_ASSIGN_OR_RETURN(const base::Config config, base::read_config());
  device::DeviceRequest request;
  request.device = name;
  request.simulator_library = config.simulator_library.empty() ? simulator_beside_libhk() : config.simulator_library;
  SimulatedDevice opened;
  HK_ASSIGN_OR_RETURN(opened.m_driver, device::open_device(request));
  const std::string& path = opened.m_driver->info().runtime_library;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  std::string missing = library == nullptr ? path : "";
  if (library != nullptr) {
    load(library, opened.m_set_launch_options, "hksim_set_launch_options", missing);
    load(library, opened.m_last_launch, "hksim_last_launch", missing);
    load(library, opened.m_last_trace, "hksim_last_trace", missing);
    load(library, opened.m_profile_digest, "hksim_profile_digest", missing);
  }
  if (!missing.empty())
    return fail(StatusCode::no_runtime, "the simulator " + path + " is of another release: it lacks " + missing);
  return opened;
}

Status SimulatedDevice::set_launch_options(const hksim_launch_options& options) const {
  if (m_set_launch_options(k_ordinal, &options) != 0)
    return {StatusCode::no_runtime,
            "the simulator " + m_driver->info().runtime_library + " is of another release: it refuses launch options"};
  return {};
}

std::string SimulatedDevice::text_of(Text* function) {
  std::string text(function(k_ordinal, nullptr, 0) + 1, '\0');
  text.resize(std::min(function(k_ordinal, text.data(), text.size()), text.size() - 1));
  return text;
}

Result<std::string> default_device_for(const std::string& processor) {
  if (processor == "gfx942")
    return "sim:mi300x";
  if (processor == "gfx950")
    return "sim:mi355x";
  return fail(StatusCode::unsupported, "the object is for " + processor + "; the simulator executes gfx942 and gfx950");
}

} // namespace hk::command
