#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "base/sharded_counter.h"

using hk::base::ShardedCounter;
using hk::base::thread_number;

TEST_SUITE_BEGIN("base.sharded_counter");

TEST_CASE("the sum holds what every thread added") {
  constexpr int k_threads = 2 * static_cast<int>(ShardedCounter::k_shards) + 3; // so that shards are shared too
  constexpr int k_adds = 5000;
  ShardedCounter counter;
  CHECK(counter.sum() == 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i)
    threads.emplace_back([&counter] {
      for (int n = 0; n < k_adds; ++n)
        counter.add();
      counter.add(7);
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(counter.sum() == std::uint64_t{k_threads} * (k_adds + 7));
}

TEST_CASE("threads that live at the same time have different numbers, a thread keeps its own") {
  constexpr int k_threads = 8;
  std::vector<unsigned> numbers(k_threads);
  std::vector<unsigned> again(k_threads);
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i)
    threads.emplace_back([&numbers, &again, i] {
      numbers[i] = thread_number();
      again[i] = thread_number();
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(numbers == again);
  CHECK(std::set<unsigned>(numbers.begin(), numbers.end()).size() == k_threads);
}

TEST_CASE("shards do not share a pair of cache lines") {
  static_assert(alignof(ShardedCounter) == ShardedCounter::k_shard_bytes);
  static_assert(sizeof(ShardedCounter) == ShardedCounter::k_shards * ShardedCounter::k_shard_bytes);
  const auto on_heap = std::make_unique<ShardedCounter>();
  CHECK(reinterpret_cast<std::uintptr_t>(on_heap.get()) % ShardedCounter::k_shard_bytes == 0);
}

TEST_SUITE_END();
