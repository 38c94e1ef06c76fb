#pragma once
// Noise on event times (HK_SIM_NOISE), so that what must cope with the noise of real machines can be tested on one that
// has none.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace hk::sim {

class EventNoise {
 public:
  // None: every factor is 1.
  EventNoise() = default;
  // sigma: standard deviation of the logarithm of a time; outliers: share of times that are longer by a factor between
  // 1.5 and 3 on top.
  EventNoise(std::uint64_t seed, double sigma, double outliers);

  // "seed:sigma:outliers", as base::read_config accepted it; empty = none.
  static std::optional<EventNoise> parse(const std::string& text);

  // What the time of the query of that number is multiplied with.
  [[nodiscard]] double factor(std::uint64_t query) const;

 private:
  std::uint64_t m_seed = 0;
  double m_sigma = 0;
  double m_outliers = 0;
};

// The noise of a process: each query of an elapsed time has a number of its own, in the order of the calls.
class NumberedNoise {
 public:
  void set(const EventNoise& noise) { m_noise = noise; }
  double next_factor() { return m_noise.factor(m_queries.fetch_add(1, std::memory_order_relaxed)); }

 private:
  EventNoise m_noise;
  std::atomic<std::uint64_t> m_queries{0};
};

} // namespace hk::sim
