#pragma once
// Random numbers that are the same for the same seed on every machine.

#include <cmath>
#include <cstdint>
#include <numbers>

namespace hk::command {

// SplitMix64 (Steele, Lea, Flood 2014) with Box and Muller's transform: std::normal_distribution differs between
// standard libraries.
class NormalNumbers {
 public:
  explicit NormalNumbers(std::uint64_t seed) : m_state(seed) {}

  double next() {
    if (m_has_second) {
      m_has_second = false;
      return m_second;
    }
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    m_second = radius * std::sin(angle);
    m_has_second = true;
    return radius * std::cos(angle);
  }

  // In (0, 1).
  double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }

  std::uint64_t bits() {
    m_state += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31;
  }

 private:
  std::uint64_t m_state;
  bool m_has_second = false;
  double m_second = 0;
};

} // namespace hk::command
