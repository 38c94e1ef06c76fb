#pragma once
// Random inputs that are quick to make: the same for the same seed on every machine.

#include <cstdint>
#include <span>

#include "ops/element.h"

namespace hk::ops {

// SplitMix64 (Steele, Lea, Flood 2014).
class RandomBits {
 public:
  explicit RandomBits(std::uint64_t seed) : m_state(seed) {}

  std::uint64_t next() {
    m_state += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31;
  }
  // Below limit, which is far below 2^32.
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>((next() >> 32) * static_cast<std::uint64_t>(limit) >> 32);
  }

 private:
  std::uint64_t m_state;
};

// Mean 0, deviation 1, nearly normal: the sum of four uniform numbers of 16 bits (Irwin-Hall). Magnitudes end at 3.5.
inline void fill_random(ElementType type, std::uint64_t seed, std::span<std::uint16_t> elements) {
  constexpr float k_mean = 2 * 65535.0F;
  constexpr float k_deviation = 37837.0F; // sqrt(4 * (2^32 - 1) / 12)
  RandomBits random(seed);
  for (std::uint16_t& element : elements) {
    const std::uint64_t bits = random.next();
    const std::uint64_t sum = (bits & 0xffffU) + (bits >> 16 & 0xffffU) + (bits >> 32 & 0xffffU) + (bits >> 48);
    element = float_to_element(type, (static_cast<float>(sum) - k_mean) / k_deviation);
  }
}

} // namespace hk::ops
