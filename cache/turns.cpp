#include "cache/turns.h"

#include <algorithm>

#include "base/log.h"
#include "cache/layout.h"

namespace hk::cache {

std::uint64_t lock_offset(TurnOf what, const base::Digest128& of) noexcept {
  constexpr std::uint64_t k_half = std::uint64_t{1} << 62;
  const std::uint64_t within = of.low % k_half;
  return std::min(what == TurnOf::build ? within : k_half + within, k_evictor_offset - 1);
}

Turn wait_for_turn_in(const std::string& folder, TurnOf what, const base::Digest128& of,
                      std::chrono::steady_clock::time_point deadline, const std::function<bool()>& settled) {
  const auto opened = make_format_folder(folder);
  if (!opened) {
    base::log_message(base::LogLevel::debug, "no turns in " + folder + ": " + opened.error().message);
    return {};
  }
  auto wait = base::wait_for_lock(opened->get(), k_lock_file, lock_offset(what, of), deadline, settled);
  if (!wait) {
    base::log_message(base::LogLevel::debug, "no turns in " + folder + ": " + wait.error().message);
    return {};
  }
  Turn turn;
  turn.waited = wait->waited;
  turn.lock = std::move(wait->lock);
  switch (wait->outcome) {
  case base::LockWait::Outcome::locked:
    turn.kind = Turn::Kind::ours;
    break;
  case base::LockWait::Outcome::settled:
    turn.kind = Turn::Kind::settled;
    break;
  case base::LockWait::Outcome::timed_out:
    turn.kind = Turn::Kind::timed_out;
    break;
  }
  return turn;
}

} // namespace hk::cache
