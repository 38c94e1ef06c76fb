#pragma once
// The random numbers of a schedule: small, the same on every platform, and quick to seed for each workgroup.

#include <cstdint>

namespace hk::sim {

// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class ScheduleRandom {
 public:
  // Streams of different seeds or numbers have nothing to do with each other.
  void seed(std::uint64_t value, std::uint64_t stream = 0) {
    m_state = value;
    m_state = (*this)() + stream;
    m_state = (*this)();
  }

  std::uint64_t operator()() {
    m_state += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

 private:
  std::uint64_t m_state = 0;
};

} // namespace hk::sim
