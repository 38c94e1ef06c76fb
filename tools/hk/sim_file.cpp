#include "sim_file.h"

#include <utility>

#include "base/files.h"
#include "device/device_name.h"
#include "sim_run_simulator.h"

namespace hk::command {
namespace {

constexpr std::uint64_t k_largest_file = std::uint64_t{1} << 31; // bytes

// Which processor a simulated device has: mi355x is the CDNA4 one.
std::string processor_of(const device::DeviceName& name) {
  return name.profile == "mi355x" ? "gfx950" : "gfx942";
}

// The modes of every profile; see src/sim/profiles.
codeobj::TargetId target_of(const device::DeviceName& name) {
  return {processor_of(name), codeobj::FeatureSetting::on, codeobj::FeatureSetting::off};
}

Result<codeobj::CodeObject> parse(base::ByteView bytes, const std::string& device) {
  if (device.empty())
    return codeobj::parse_code_object(bytes);
  HK_ASSIGN_OR_RETURN(const device::DeviceName name, device::parse_device_name(device));
  if (name.kind != device::DeviceKind::simulated)
    return fail(StatusCode::invalid_argument,
                "device \"" + device + "\" is not simulated: use sim:mi300x, sim:mi325x or sim:mi355x");
  return codeobj::parse_code_object_for(bytes, target_of(name));
}

} // namespace

Result<SimFile> read_sim_file(const std::string& path, const std::string& device) {
  const base::FileResult<base::Bytes> bytes = base::read_file(path, k_largest_file);
  if (!bytes)
    return fail(StatusCode::invalid_argument, bytes.error().message);
  Result<codeobj::CodeObject> object = parse(*bytes, device);
  if (!object)
    return fail(object.error().code, path + ": " + object.error().message, object.error().detail);
  SimFile file;
  file.path = path;
  file.device = device;
  file.object = std::move(*object);
  if (device.empty()) {
    HK_ASSIGN_OR_RETURN(file.device, default_device_for(file.object.target.processor));
  }
  return file;
}

Result<const codeobj::Kernel*> kernel_of(const SimFile& file, const std::string& name) {
  const codeobj::CodeObject& object = file.object;
  if (name.empty() && object.kernels.size() == 1)
    return &object.kernels.front();
  if (const codeobj::Kernel* kernel = name.empty() ? nullptr : object.find_kernel(name))
    return kernel;
  std::string list;
  for (const codeobj::Kernel& kernel : object.kernels)
    list += (list.empty() ? "" : ", ") + kernel.metadata.name;
  return fail(StatusCode::invalid_argument,
              file.path + (name.empty() ? ": say with --kernel which one" : ": there is no kernel '" + name + "'") +
                  "; it holds " + (list.empty() ? "none" : list));
}

} // namespace hk::command
