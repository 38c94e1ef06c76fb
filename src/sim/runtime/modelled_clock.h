#pragma once
// The modelled time of one device: when its engines would have done the work, in nanoseconds since the device was
// opened.
//
// The clock advances by work alone; what the host does meanwhile takes no modelled time. Each engine does one piece of
// work after the other, in the order in which the simulator ran them: kernels and fills on the compute engine, copies
// from and to the host on an engine each. Kernel durations are a simple sum (see kernel_launch.cpp), not yet a model of
// the pipeline; whoever shows such a time must call it modelled.

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

namespace hk::sim {

enum class Engine : std::uint8_t { compute, copy_to_device, copy_to_host };

class ModelledClock {
 public:
  // The engine works for `duration` as soon as it is free, not before `start`. Returns the end.
  double occupy(Engine engine, double start, double duration) {
    const std::lock_guard lock(m_mutex);
    double& free_at = m_free_at[static_cast<std::size_t>(engine)];
    free_at = std::max(free_at, start) + duration;
    return free_at;
  }

  // The host has seen something end; what it queues from now on cannot start earlier.
  void host_saw(double end) {
    const std::lock_guard lock(m_mutex);
    m_host = std::max(m_host, end);
  }
  [[nodiscard]] double host_time() const {
    const std::lock_guard lock(m_mutex);
    return m_host;
  }

 private:
  mutable std::mutex m_mutex;
  std::array<double, 3> m_free_at{};
  double m_host = 0.0;
};

} // namespace hk::sim
