#pragma once
// The one simulator of the process: made by the first call, ended when the library is unloaded or the process exits.

#include "sim/runtime/error.h"

namespace hk::sim {

class Simulator;

// Keeps the simulator for the length of a call.
class SimulatorUse {
 public:
  // Makes the simulator if need be. Fails with no_device, with not_initialized in a forked child of a process that had
  // used it (its threads do not exist there), with deinitialized after the end.
  static Outcome<SimulatorUse> begin();

  SimulatorUse(SimulatorUse&& other) noexcept;
  SimulatorUse(const SimulatorUse&) = delete;
  SimulatorUse& operator=(const SimulatorUse&) = delete;
  SimulatorUse& operator=(SimulatorUse&&) = delete;
  ~SimulatorUse();

  [[nodiscard]] Simulator& operator*() const { return *m_simulator; }

 private:
  explicit SimulatorUse(Simulator* simulator) : m_simulator(simulator) {}
  Simulator* m_simulator;
};

// Stops queues and kernels and joins their threads; later calls fail with deinitialized. Does nothing in a forked
// child.
// exit() and dlclose() do it by themselves.
void end_process_simulator() noexcept;

} // namespace hk::sim
