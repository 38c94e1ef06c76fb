#include "device/runtime_library.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include <utility>

namespace hk::device {
namespace {

std::string path_of_handle(void* handle, const std::string& fallback) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr || *map->l_name == '\0')
    return fallback;
  return map->l_name;
}

// The loader opens what it is given, and waits for the writer of a FIFO.
bool is_something_else_than_a_file(const std::string& path) {
  struct stat facts{};
  return path.find('/') != std::string::npos && ::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode);
}

} // namespace

RuntimeLibrary open_runtime_library(const std::string& name, int extra_flags, std::string reason, std::string& tried) {
  RuntimeLibrary library;
  if (is_something_else_than_a_file(name)) {
    tried += (tried.empty() ? "" : "; ") + name + ": not a regular file";
    return library;
  }
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
