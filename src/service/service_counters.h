#pragma once
// Counters of one KernelService; hk_statistics (hk.h) says what each of them counts.

#include <atomic>
#include <cstdint>

#include "base/sharded_counter.h"

namespace hk::service {

struct ServiceCounters {
  base::ShardedCounter launches; // these two are counted by every warm call
  base::ShardedCounter memory_hits;
  std::atomic<std::uint64_t> disk_hits{0};
  std::atomic<std::uint64_t> compiles{0};
  std::atomic<std::uint64_t> joined{0};
  std::atomic<std::uint64_t> waited{0};
  std::atomic<std::uint64_t> wait_nanoseconds{0};
  std::atomic<std::uint64_t> rejected_entries{0};
  std::atomic<std::uint64_t> failures{0};
  std::atomic<std::uint64_t> kept_failures{0};
  std::atomic<std::uint64_t> self_checks{0};
  std::atomic<std::uint64_t> self_checks_skipped{0};
  std::atomic<std::uint64_t> self_check_failures{0};
  std::atomic<std::uint64_t> tuner_runs{0};
  std::atomic<std::uint64_t> tuner_candidates{0};
  std::atomic<std::uint64_t> compile_nanoseconds{0};
};

inline void increment(std::atomic<std::uint64_t>& counter, std::uint64_t amount = 1) noexcept {
  counter.fetch_add(amount, std::memory_order_relaxed);
}

} // namespace hk::service
