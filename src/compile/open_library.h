#pragma once
// Opening the files of a run-time compiler and finding functions in them.

#include <string>

#include <dlfcn.h>

#include "base/status.h"

namespace hk::compile {

// Fails with no_compiler; `product` is what to reinstall.
inline Result<void*> open_library(const std::string& path, const char* product) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    return fail(StatusCode::no_compiler, "library " + path + " cannot be loaded (" +
                                             (reason != nullptr ? reason : "no reason given") + "); reinstall " +
                                             product);
  }
  return handle;
}

template <typename Function>
bool find_function(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  return function != nullptr;
}

} // namespace hk::compile
