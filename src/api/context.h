#pragma once
// hk_context: one open device and what was built for it.

#include <cstdint>
#include <memory>
#include <string>

#include "base/config.h"
#include "base/status.h"
#include "cache/store.h"
#include "compile/compiler.h"
#include "device/driver.h"
#include "hk/hk.h"
#include "ops/attention/attention.h"
#include "service/kernel_service.h"

// Members are destroyed from the last to the first: each uses only those before it.
struct hk_context {
  hk::base::Config config; // the environment with the options over it, read once
  std::uint32_t fork_generation = 0;
  std::unique_ptr<hk::device::Driver> driver;
  std::unique_ptr<hk::service::KernelService> service;
  std::unique_ptr<hk::ops::Attention> attention;
};

namespace hk::api {

// Where a context takes its parts from; tests put their own here.
struct ContextParts {
  std::unique_ptr<device::Driver> driver;
  std::unique_ptr<compile::Compiler> compiler;
  std::unique_ptr<cache::Store> store;
};

// Opens the device and reads the environment. options may be null.
Result<std::unique_ptr<hk_context>> create_context(const hk_context_options* options);

// A context of given parts; all of them are there. Fails with unsupported if the library has no kernels for the device.
Result<std::unique_ptr<hk_context>> assemble_context(base::Config config, ContextParts parts);

// Refuses null and a context that was created before a fork.
Status check_context(const hk_context* context);

// JSON text of hk_device_info.
std::string describe_context(const hk_context& context);

} // namespace hk::api
