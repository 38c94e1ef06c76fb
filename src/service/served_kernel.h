#pragma once
// ServedKernel: a kernel that is loaded on the context's device, with what is known about it.

#include <memory>
#include <string>

#include "codeobj/inspect.h"
#include "device/driver.h"

namespace hk::service {

enum class KernelOrigin {
  compiled, // by this process, for want of an entry
  cached,   // from the store
};

struct ServedKernel {
  std::unique_ptr<device::Module> module;
  std::string symbol;
  codeobj::KernelResources resources;
  KernelOrigin origin = KernelOrigin::compiled;
  std::string store_kind; // "disk" or "memory": the store that held or received it
  double compile_ms = 0;  // of the compile that made it, by whichever process
};

} // namespace hk::service
