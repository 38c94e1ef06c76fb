#pragma once
// One simulated device: its profile, its memory, its queues, its clock and what went wrong on it.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "codeobj/target_id.h"
#include "sim/machine/target.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/process_memory.h"
#include "sim/profiles/profile.h"
#include "sim/runtime/command.h"
#include "sim/runtime/completion.h"
#include "sim/runtime/error.h"
#include "sim/runtime/launch_control.h"
#include "sim/runtime/modelled_clock.h"

namespace hk::sim {

class Stream;

class Device {
 public:
  // Fails with invalid_value if the profile's target is none that the simulator executes.
  static Outcome<std::unique_ptr<Device>> create(int ordinal, Profile profile, ProcessMemory& memory,
                                                 std::uint64_t schedule_seed);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] int ordinal() const { return m_ordinal; }
  [[nodiscard]] const Profile& profile() const { return m_profile; }
  [[nodiscard]] const codeobj::TargetId& target_id() const { return m_target_id; }
  [[nodiscard]] Target target() const { return m_target; }
  [[nodiscard]] std::uint64_t schedule_seed() const { return m_schedule_seed; }
  [[nodiscard]] ProcessMemory& process_memory() { return m_process_memory; }
  [[nodiscard]] AddressSpace& memory() { return m_process_memory.device(static_cast<std::size_t>(m_ordinal)); }
  [[nodiscard]] DeviceMemory& memory_map() { return m_memory_map; }
  [[nodiscard]] ModelledClock& clock() { return m_clock; }
  [[nodiscard]] LaunchControl& launch_control() { return m_launch_control; }
  [[nodiscard]] const std::shared_ptr<Stream>& null_stream() const { return m_null_stream; }

  // Queues the command behind the stream's earlier work and `after`. The null stream also waits for all blocking
  // streams, and they for it. After a fault nothing more is queued: the fault's error is returned.
  Outcome<CompletionPointer> submit(Stream& stream, Command command, std::vector<CompletionPointer> after = {});

  // Waits on the host, and lets the modelled clock know that the host waited. Returns the fault's error, if any.
  Error wait(const CompletionPointer& completion);
  // Waits for everything that was queued before the call on any stream.
  Error synchronize();
  // Whether everything queued so far on the stream (for the null stream: and on all blocking streams) has ended.
  bool idle(const Stream& stream);

  void add_stream(Stream& stream);
  // Waits for the stream's work.
  void remove_stream(Stream& stream);

  // A kernel or copy that cannot go on. The first fault stays; queued work behind it is skipped, and every later call
  // fails with its code until reset_fault().
  void raise(ErrorCode code, std::string sentence);
  [[nodiscard]] bool faulted() const { return m_fault_code.load(std::memory_order_acquire) != ErrorCode::success; }
  [[nodiscard]] Error fault() const;
  void reset_fault();

  // Wave instructions of the launches that have ended.
  void count_instructions(std::uint64_t count) { m_executed.fetch_add(count, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t executed_instructions() const { return m_executed.load(std::memory_order_relaxed); }

  // Skip all work that has not begun, and stop kernels: the process is ending.
  void cancel() { m_cancelled.store(true, std::memory_order_release); }
  [[nodiscard]] const std::atomic<bool>& cancelled() const { return m_cancelled; }

 private:
  Device(int ordinal, Profile profile, codeobj::TargetId target_id, Target target, ProcessMemory& memory,
         std::uint64_t schedule_seed);
  // The last work of every stream that must end before more work of `stream` begins. Under m_submit_mutex.
  void add_implicit_dependencies(const Stream& stream, std::vector<CompletionPointer>& after) const;

  const int m_ordinal;
  const Profile m_profile;
  const codeobj::TargetId m_target_id;
  const Target m_target;
  const std::uint64_t m_schedule_seed;
  ProcessMemory& m_process_memory;
  DeviceMemory m_memory_map;
  ModelledClock m_clock;
  LaunchControl m_launch_control;

  std::mutex m_submit_mutex; // one order of submission for all streams of the device
  std::vector<Stream*> m_streams;

  mutable std::mutex m_fault_mutex;
  std::atomic<ErrorCode> m_fault_code{ErrorCode::success};
  std::string m_fault_sentence;
  std::atomic<bool> m_cancelled{false};
  std::atomic<std::uint64_t> m_executed{0};

  std::shared_ptr<Stream> m_null_stream; // last: its worker uses everything above
};

} // namespace hk::sim
