#pragma once
// Turns: the bytes of a cache folder's lock file, and waiting for one.
//
// One file holds all locks, so nothing grows with the number of keys: builds take the lower half of the offsets, tuner
// runs the upper half, the evictor the last one. Two keys that share a byte (62 bits of a digest) only wait for each
// other once.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/hash.h"
#include "cache/store.h"

namespace hk::cache {

std::uint64_t lock_offset(TurnOf what, const base::Digest128& of) noexcept;

inline constexpr std::uint64_t k_evictor_offset = base::RangeLock::k_max_offset;

// Store::wait_for_turn for a folder on a local file system, which is made if it does not exist. Unlocked if it cannot
// be made or written to, or cannot lock.
Turn wait_for_turn_in(const std::string& folder, TurnOf what, const base::Digest128& of,
                      std::chrono::steady_clock::time_point deadline, const std::function<bool()>& settled);

} // namespace hk::cache
