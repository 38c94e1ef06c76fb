#include "compile/machine_slots.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include <unistd.h>

#include "base/log.h"
#include "base/trace.h"
#include "base/trusted_folder.h"

namespace hk::compile {
namespace {

constexpr const char* k_lock_file = "slots";
using Clock = MachineSlots::Clock;

constexpr Clock::duration k_shortest_pause = std::chrono::milliseconds(1);
constexpr Clock::duration k_longest_pause = std::chrono::milliseconds(50);

} // namespace

std::string default_slot_folder() {
  return "/tmp/hk-" + std::to_string(::geteuid());
}

base::RangeLock MachineSlots::take(Clock::time_point deadline) {
  if (m_folder.empty() || !trusted())
    return {};
  Attempt attempt = try_all();
  // Whoever has held them all for longer than a compile may take probably goes on doing so: one vain wait is enough.
  if (attempt && !*attempt && !m_vain)
    attempt = poll(deadline);
  if (!attempt) {
    say_once(attempt.error().message);
    return {};
  }
  std::optional<base::RangeLock>& slot = *attempt;
  m_vain = !slot.has_value();
  if (!slot.has_value()) {
    say_once("all " + std::to_string(m_count) +
                 " are in use for longer than a compile may take, perhaps by a program "
                 "that is stopped",
             base::LogLevel::warning);
    return {};
  }
  return std::move(*slot);
}

bool MachineSlots::trusted() {
  std::call_once(m_checked, [this] {
    Result<std::string> folder = base::trusted_folder(m_folder, "folder");
    if (folder)
      m_trusted = std::move(*folder);
    else
      say_once(folder.error().message);
  });
  return !m_trusted.empty();
}

MachineSlots::Attempt MachineSlots::try_all() {
  // Opened each time: it may be removed while this process runs.
  const auto folder = base::make_own_folder(m_trusted);
  if (!folder)
    return tl::unexpected<base::FileError>(folder.error());
  // From another slot each time, since processes that all begin with the first get in each other's way.
  const unsigned first = static_cast<unsigned>(::getpid()) + m_attempts.fetch_add(1, std::memory_order_relaxed);
  for (unsigned i = 0; i < m_count; ++i) {
    Attempt attempt = base::RangeLock::try_lock(folder->get(), k_lock_file, (first + i) % m_count);
    if (!attempt || *attempt)
      return attempt;
  }
  return std::optional<base::RangeLock>();
}

// Whoever polls gives the turn on however it ends.
class MachineSlots::PollTurn {
 public:
  PollTurn(MachineSlots& slots, Clock::time_point deadline) : m_slots(slots) {
    std::unique_lock lock(m_slots.m_mutex);
    m_ours = m_slots.m_turn.wait_until(lock, deadline, [this] { return !m_slots.m_polling; });
    if (m_ours)
      m_slots.m_polling = true;
  }
  PollTurn(const PollTurn&) = delete;
  PollTurn& operator=(const PollTurn&) = delete;
  ~PollTurn() {
    if (!m_ours)
      return;
    {
      const std::lock_guard lock(m_slots.m_mutex);
      m_slots.m_polling = false;
    }
    m_slots.m_turn.notify_one();
  }

  [[nodiscard]] bool ours() const { return m_ours; }

 private:
  MachineSlots& m_slots;
  bool m_ours = false;
};

MachineSlots::Attempt MachineSlots::poll(Clock::time_point deadline) {
  const base::TraceSpan span("wait", "a slot to compile in");
  const PollTurn turn(*this, deadline);
  if (!turn.ours())
    return std::optional<base::RangeLock>();
  Attempt attempt = try_all();
  Clock::duration pause = k_shortest_pause;
  for (Clock::time_point now = Clock::now(); attempt && !*attempt && now < deadline; now = Clock::now()) {
    std::this_thread::sleep_for(std::min(pause, deadline - now));
    pause = std::min(pause * 3 / 2, k_longest_pause);
    attempt = try_all();
  }
  return attempt;
}

void MachineSlots::say_once(const std::string& reason, base::LogLevel level) {
  if (!m_said.exchange(true))
    base::log_message(level, "compiles are not limited over all processes by the slots in " + m_folder + ": " + reason);
}

} // namespace hk::compile
