#pragma once
// hk_context: one open device and what was built for it.

#include <cstdint>
#include <memory>
#include <string>

#include "base/config.h"
#include "base/status.h"
#include "device/driver.h"
#include "hk/hk.h"

struct hk_context {
  hk::base::Config config; // the environment with the options over it, read once
  std::unique_ptr<hk::device::Driver> driver;
  std::uint32_t fork_generation = 0;
};

namespace hk::api {

// Opens the device and reads the environment. options may be null.
Result<std::unique_ptr<hk_context>> create_context(const hk_context_options* options);

// Refuses null and a context that was created before a fork.
Status check_context(const hk_context* context);

// JSON text of hk_device_info.
std::string describe_context(const hk_context& context);

} // namespace hk::api
