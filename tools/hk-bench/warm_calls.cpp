// The warm call on the null device: its time in one thread, and what a second thread adds.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

#include "groups.h"
#include "hk/hk.hpp"
#include "problem.h"
#include "series.h"

namespace hk::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double k_warm_limit_us = 0.5;
constexpr double k_speedup_limit = 1.9;
// Short rounds, so that some of them are not interrupted even on a busy machine.
constexpr int k_rounds = 401;
constexpr int k_calls = 5000;

// A context with tensors for one attention call.
class WarmCall {
 public:
  WarmCall() : m_context("null"), m_memory(m_context, 4 * k_bytes), m_args(dense_attention(128, 512, 512)) {
    m_args.q.data = m_memory.data();
    m_args.k.data = m_memory.data() + k_bytes;
    m_args.v.data = m_memory.data() + 2 * k_bytes;
    m_args.o.data = m_memory.data() + 3 * k_bytes;
    m_context.attention(m_args);
  }

  void run(int calls) const {
    const hk_attention_args args = m_args; // each thread its own
    for (int call = 0; call < calls; ++call)
      m_context.attention(args);
  }

 private:
  static constexpr std::size_t k_bytes = std::size_t{32} * 512 * 128 * 2;

  Context m_context;
  DeviceArray<std::uint8_t> m_memory;
  hk_attention_args m_args;
};

// Microseconds from the moment when all threads are ready to the end of the last one's work.
double microseconds(const std::vector<std::function<void()>>& bodies) {
  std::atomic<std::size_t> ready{0};
  std::atomic<bool> go{false};
  std::vector<Clock::time_point> ends(bodies.size());
  std::vector<std::thread> threads;
  threads.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    threads.emplace_back([&ready, &go, &body = bodies[i], &end = ends[i]] {
      ready.fetch_add(1);
      while (!go.load(std::memory_order_acquire))
        std::this_thread::yield();
      body();
      end = Clock::now();
    });
  while (ready.load() < bodies.size())
    std::this_thread::yield();
  const Clock::time_point start = Clock::now();
  go.store(true, std::memory_order_release);
  for (std::thread& thread : threads)
    thread.join();
  return std::chrono::duration<double, std::micro>(*std::max_element(ends.begin(), ends.end()) - start).count();
}

} // namespace

bool measure_warm_calls() {
  const WarmCall first;
  const WarmCall second;
  const auto call_first = [&first] { first.run(k_calls); };
  const auto call_second = [&second] { second.run(k_calls); };
  Series one{"warm hk_attention on the null device", "us", k_warm_limit_us, {}};
  Series shared{"calls per second of two threads, one context : one thread", "x", k_speedup_limit, {}, true};
  double best_alone = std::numeric_limits<double>::infinity();
  double best_shared = best_alone;
  // Threads that have nothing of hk in common but the code: what the machine gives at that moment.
  Series apart{"calls per second of two threads, a context each : one thread", "x", 0, {}, true};
  for (int round = 0; round < k_rounds; ++round) {
    const double alone = microseconds({call_first});
    one.values.push_back(alone / k_calls);
    const double both = microseconds({call_first, call_first});
    shared.values.push_back(2 * alone / both);
    best_alone = std::min(best_alone, alone);
    best_shared = std::min(best_shared, both);
    apart.values.push_back(2 * alone / microseconds({call_first, call_second}));
  }
  const bool fast = one.print();
  const bool scales = shared.print();
  const Series best{"the same from the quickest round of each", "x", 0, {2 * best_alone / best_shared}, true};
  return best.print() && apart.print() && scales && fast;
}

} // namespace hk::bench
