#include "device/runtime_library.h"

#include <dlfcn.h>
#include <link.h>

#include <utility>

namespace hk::device {
namespace {

std::string path_of_handle(void* handle, const std::string& fallback) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr || *map->l_name == '\0')
    return fallback;
  return map->l_name;
}

} // namespace

RuntimeLibrary open_runtime_library(const std::string& name, int extra_flags, std::string reason, std::string& tried) {
  RuntimeLibrary library;
  library.handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | extra_flags);
  if (library.handle == nullptr) {
    const char* error = dlerror();
    tried += (tried.empty() ? "" : "; ") + name + ": " + (error != nullptr ? error : "not loaded");
    return library;
  }
  library.path = path_of_handle(library.handle, name);
  library.reason = std::move(reason);
  return library;
}

} // namespace hk::device
