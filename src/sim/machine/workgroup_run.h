#pragma once
// Running one workgroup in slices, its waves interleaved as the schedule says.

#include <cstdint>
#include <optional>

#include "sim/machine/launch_state.h"
#include "sim/machine/scratch_memory.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

// Waves that stand at a barrier go on when every wave that has not ended stands at one, whichever s_barrier it is.
class WorkgroupRun {
 public:
  WorkgroupRun(const LaunchTemplate& launch, const DispatchOptions& options);

  // Makes ready to run workgroup `index`, which is number `position` in dispatch order.
  void start(std::uint64_t index, std::uint64_t position, std::optional<std::uint64_t> schedule_seed);

  enum class Outcome : std::uint8_t { ended, faulted, unfinished };
  // Executes about `budget` instructions. Comes back earlier, unfinished, if every wave that can run has asked to
  // sleep.
  Outcome run_slice(std::uint64_t budget);

  [[nodiscard]] std::uint64_t position() const { return m_position; }
  [[nodiscard]] const Workgroup& workgroup() const { return m_workgroup; }
  // After Outcome::faulted.
  [[nodiscard]] const Fault& fault() const;

 private:
  Outcome run_in_order(std::uint64_t budget);
  Outcome run_randomly(std::uint64_t budget);
  std::uint64_t run_one(Wave& wave, std::uint64_t quantum);
  // What follows when no wave can run: they have ended, or stand at a barrier, which opens.
  [[nodiscard]] bool all_ended() const;
  void open_barrier();
  Wave* random_runnable_wave();
  void complete_something_early();

  const LaunchTemplate& m_launch;
  std::uint64_t m_step_limit;
  std::uint64_t m_turn;
  bool m_forgive_missing_waits;
  WaveTrace* m_trace;
  std::uint64_t m_index = 0;
  std::uint64_t m_position = 0;
  Workgroup m_workgroup;
  ScratchMemory m_scratch;
};

} // namespace hk::sim
