#pragma once
// MachineSlots: how many compiles run on this machine at a time, over all processes of this user.
//
// A compile takes a CPU and 150 MB. Hundred processes that each start as many workers as there are CPUs would take the
// machine's memory, so they share its slots: bytes of one lock file in a folder that only this user can enter. A slot
// ends with its holder, however that ends. Slots keep the machine usable and nothing depends on them: whoever cannot
// use the folder, or has waited for too long, goes on without one.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/range_lock.h"

namespace hk::compile {

// "/tmp/hk-<uid>": on this machine, unlike a home folder, and the same for all processes, unlike TMPDIR.
std::string default_slot_folder();

class MachineSlots {
 public:
  using Clock = std::chrono::steady_clock;

  // folder empty: no slots, every take() returns at once. The folder is made when it is first needed. Processes with
  // different counts share the slots that both know.
  MachineSlots(std::string folder, unsigned count) : m_folder(std::move(folder)), m_count(count) {}
  MachineSlots(const MachineSlots&) = delete;
  MachineSlots& operator=(const MachineSlots&) = delete;

  // A slot, held as long as the returned lock; a lock that is not held() if none became free until the deadline
  // (said once, at level warning; from then on nothing is waited for until one is free) or slots do not work here (at
  // level debug). Any thread.
  base::RangeLock take(Clock::time_point deadline);

 private:
  using Attempt = base::FileResult<std::optional<base::RangeLock>>;
  class PollTurn;

  bool trusted();
  // Every slot once.
  Attempt try_all();
  Attempt poll(Clock::time_point deadline);
  void say_once(const std::string& reason, base::LogLevel level = base::LogLevel::debug);

  const std::string m_folder;
  const unsigned m_count;
  std::once_flag m_checked; // guards what follows
  std::string m_trusted;    // the folder without symbolic links; empty if it is not trusted
  std::atomic<bool> m_said{false};
  std::atomic<bool> m_vain{false}; // the last one who wanted a slot got none
  std::atomic<unsigned> m_attempts{0};
  // Of those that wait in this process one polls, the others wait for it: many CPUs make many slots to look at.
  std::mutex m_mutex; // of m_polling
  std::condition_variable m_turn;
  bool m_polling = false;
};

} // namespace hk::compile
