#include "service/kernel_timer.h"

namespace hk::service {

Result<std::unique_ptr<KernelTimer>> KernelTimer::create(device::Driver& driver) {
  std::unique_ptr<KernelTimer> timer(new KernelTimer(driver));
  HK_ASSIGN_OR_RETURN(timer->m_stream, driver.create_stream());
  HK_ASSIGN_OR_RETURN(timer->m_start, driver.create_event());
  HK_ASSIGN_OR_RETURN(timer->m_stop, driver.create_event());
  return timer;
}

KernelTimer::~KernelTimer() {
  // A device that fails now has said so before.
  if (m_stream != nullptr)
    static_cast<void>(m_driver.synchronize(m_stream));
  for (const device::Event event : {m_start, m_stop}) {
    if (event != nullptr)
      static_cast<void>(m_driver.destroy_event(event));
  }
  if (m_stream != nullptr)
    static_cast<void>(m_driver.destroy_stream(m_stream));
}

Result<double> KernelTimer::measure(const std::function<Status(device::Stream)>& queue) {
  HK_RETURN_IF_ERROR(m_driver.record(m_start, m_stream));
  HK_RETURN_IF_ERROR(queue(m_stream));
  HK_RETURN_IF_ERROR(m_driver.record(m_stop, m_stream));
  return m_driver.elapsed(m_start, m_stop);
}

} // namespace hk::service
