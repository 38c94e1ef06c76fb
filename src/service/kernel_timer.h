#pragma once
// KernelTimer: device time of launches, by events on a stream of its own. Measured on a GPU, modelled on a simulated
// one.

#include <functional>
#include <memory>

#include "base/status.h"
#include "device/driver.h"

namespace hk::service {

class KernelTimer {
 public:
  // driver outlives the timer. Fails as the driver.
  static Result<std::unique_ptr<KernelTimer>> create(device::Driver& driver);
  ~KernelTimer();
  KernelTimer(const KernelTimer&) = delete;
  KernelTimer& operator=(const KernelTimer&) = delete;

  // Microseconds from before to behind what `queue` puts on the stream it is given. Waits for it. Fails with what queue
  // fails with, or launch_failed. One call at a time.
  Result<double> measure(const std::function<Status(device::Stream)>& queue);

 private:
  explicit KernelTimer(device::Driver& driver) : m_driver(driver) {}

  device::Driver& m_driver;
  device::Stream m_stream = nullptr;
  device::Event m_start = nullptr;
  device::Event m_stop = nullptr;
};

} // namespace hk::service
