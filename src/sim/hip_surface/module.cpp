#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "sim/hip_surface/call.h"
#include "sim/runtime/image_bytes.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

Error load(Simulator& simulator, hipModule_t* module, std::span<const std::byte> image) {
  const Outcome<Device*> device = usable_device(simulator);
  if (!device)
    return device.error();
  Outcome<std::shared_ptr<LoadedModule>> loaded = LoadedModule::load(**device, image);
  if (!loaded)
    return std::move(loaded).error();
  *module = static_cast<hipModule_t>(simulator.modules.add(std::move(*loaded)));
  return {};
}

} // namespace

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return call([&](Simulator& simulator) {
    if (module == nullptr || image == nullptr)
      return null_parameter(module == nullptr ? "module" : "image");
    const Outcome<std::vector<std::byte>> bytes = read_image(image);
    return bytes ? load(simulator, module, *bytes) : bytes.error();
  });
}

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int numOptions, hipJitOption* options,
                               void** optionValues) {
  // The options steer a just-in-time compiler; code objects need none.
  static_cast<void>(numOptions);
  static_cast<void>(options);
  static_cast<void>(optionValues);
  return hipModuleLoadData(module, image);
}

hipError_t hipModuleLoad(hipModule_t* module, const char* fname) {
  return call([&](Simulator& simulator) {
    if (module == nullptr || fname == nullptr)
      return null_parameter(module == nullptr ? "module" : "fname");
    const hk::base::FileResult<hk::base::Bytes> bytes = hk::base::read_file(fname, k_largest_image);
    if (!bytes)
      return Error(ErrorCode::file_not_found, bytes.error().message);
    return load(simulator, module, *bytes);
  });
}

hipError_t hipModuleUnload(hipModule_t module) {
  return call([&](Simulator& simulator) {
    if (Error refused = check_may_wait(); !refused.ok())
      return refused;
    const std::shared_ptr<LoadedModule> removed = simulator.modules.remove(module);
    if (removed == nullptr)
      return Error(ErrorCode::invalid_handle, "the module is none that is alive; it may have been unloaded");
    simulator.unload(removed);
    return Error();
  });
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname) {
  return call([&](Simulator& simulator) {
    if (function == nullptr || kname == nullptr || *kname == '\0')
      return Error(ErrorCode::invalid_value, "function must not be null and the kernel must be named");
    const Outcome<std::shared_ptr<LoadedModule>> found = module_of(simulator, module);
    if (!found)
      return found.error();
    std::shared_ptr<const LoadedKernel> kernel = (*found)->kernel(kname);
    if (kernel == nullptr)
      return Error(ErrorCode::not_found, "the module has no kernel '" + std::string(kname) + "'");
    *function = static_cast<hipFunction_t>(simulator.functions.add(std::move(kernel)));
    return Error();
  });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* dptr, size_t* bytes, hipModule_t hmod, const char* name) {
  return call([&](Simulator& simulator) {
    if ((dptr == nullptr && bytes == nullptr) || name == nullptr || *name == '\0')
      return Error(ErrorCode::invalid_value, "a result pointer and the name of the variable are needed");
    const Outcome<std::shared_ptr<LoadedModule>> found = module_of(simulator, hmod);
    if (!found)
      return found.error();
    const Outcome<DeviceGlobal> global = (*found)->global(name);
    if (!global)
      return global.error();
    if (dptr != nullptr)
      *dptr = pointer_to(global->address);
    if (bytes != nullptr)
      *bytes = global->bytes;
    return Error();
  });
}
