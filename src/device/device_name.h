#pragma once
// DeviceName: the text that names a device ("hip:0", "cuda:0", "sim:mi355x", "null"), parsed.

#include <string>
#include <string_view>

#include "base/status.h"

namespace hk::device {

enum class DeviceKind { hip, cuda, simulated, null };

struct DeviceName {
  DeviceKind kind = DeviceKind::hip;
  int ordinal = 0;       // hip, cuda: index among the devices that the runtime shows
  std::string profile;   // simulated: "mi300x", "mi325x", "mi355x"
  std::string processor; // null: what kernels are compiled for, "gfx950" unless the name says otherwise

  [[nodiscard]] std::string to_string() const;
};

// Empty text means hip:0: a simulated or null device is never chosen silently. Fails with invalid_argument for a
// malformed name.
Result<DeviceName> parse_device_name(std::string_view text);

} // namespace hk::device
