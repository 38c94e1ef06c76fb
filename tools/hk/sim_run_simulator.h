#pragma once
// The simulated device that `hk sim run` drives: libhksim's HIP surface for memory, modules and launches, and hksim.h
// for what HIP has no word for (bounds, turns, trace, counts).

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "device/driver.h"
#include "sim/hip_surface/hksim.h"

namespace hk::command {

class SimulatedDevice {
 public:
  // "sim:mi300x". The process sees no other device afterwards. Fails with invalid_argument, no_runtime or no_device.
  static Result<SimulatedDevice> open(const std::string& name);

  [[nodiscard]] device::Driver& driver() const { return *m_driver; }
  Status set_launch_options(const hksim_launch_options& options) const;
  // Texts of hksim.h.
  [[nodiscard]] std::string last_launch() const { return text_of(m_last_launch); }
  [[nodiscard]] std::string last_trace() const { return text_of(m_last_trace); }
  [[nodiscard]] std::string profile_digest() const { return text_of(m_profile_digest); }

 private:
  using Text = decltype(hksim_last_launch);
  SimulatedDevice() = default;
  static std::string text_of(Text* function);

  std::unique_ptr<device::Driver> m_driver;
  decltype(hksim_set_launch_options)* m_set_launch_options = nullptr;
  Text* m_last_launch = nullptr;
  Text* m_last_trace = nullptr;
  Text* m_profile_digest = nullptr;
};

// The device that runs code for a processor where the user names none: "sim:mi300x" for gfx942, "sim:mi355x" for
// gfx950. Fails with unsupported.
Result<std::string> default_device_for(const std::string& processor);

} // namespace hk::command
