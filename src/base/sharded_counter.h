#pragma once
// ShardedCounter: a counter that threads increment without sharing a cache line.
//
// One atomic number that two threads increment moves its cache line to and fro: about 50 ns each time, a quarter of a
// warm call. Here each thread has a shard of its own (up to k_shards threads; more of them share), and reading adds the
// shards up.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hk::base {

// Threads are numbered in the order in which they first ask: 1, 2, 3, ...
inline unsigned thread_number() noexcept {
  static std::atomic<unsigned> last{0};
  static constinit thread_local unsigned number = 0;
  if (number == 0)
    number = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

class ShardedCounter {
 public:
  static constexpr std::size_t k_shards = 16;
  // Two cache lines: some processors fetch lines in pairs.
  static constexpr std::size_t k_shard_bytes = 128;

  ShardedCounter() = default;
  ShardedCounter(const ShardedCounter&) = delete;
  ShardedCounter& operator=(const ShardedCounter&) = delete;

  void add(std::uint64_t amount = 1) noexcept {
    m_shards[thread_number() % k_shards].value.fetch_add(amount, std::memory_order_relaxed);
  }

  // Holds every add() that happened before the call; of those at the same time, any.
  [[nodiscard]] std::uint64_t sum() const noexcept {
    std::uint64_t total = 0;
    for (const Shard& shard : m_shards)
      total += shard.value.load(std::memory_order_relaxed);
    return total;
  }

 private:
  struct alignas(k_shard_bytes) Shard {
    std::atomic<std::uint64_t> value{0};
  };
  std::array<Shard, k_shards> m_shards;
};

} // namespace hk::base
