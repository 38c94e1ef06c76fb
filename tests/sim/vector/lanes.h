#pragma once
// Short words for tests of vector instructions: fill registers, run one text, look at lanes.

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "sim/harness.h"

namespace hk::sim::testing {

constexpr std::uint32_t k_untouched = 0xcdcdcdcdU; // what the harness puts into registers

inline std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
inline std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
inline float as_float(std::uint32_t value) {
  return std::bit_cast<float>(value);
}

inline double as_double(std::uint64_t value) {
  return std::bit_cast<double>(value);
}

class VectorCase : public OneWave {
 public:
  explicit VectorCase(Target target = Target::gfx942) : OneWave(target) {}

  void fill(unsigned vgpr, std::uint32_t value) {
    for (std::uint32_t& lane : wave().vector[vgpr])
      lane = value;
  }
  void fill_wide(unsigned vgpr, std::uint64_t value) {
    fill(vgpr, std::uint32_t(value));
    fill(vgpr + 1, std::uint32_t(value >> 32));
  }
  // Lane i gets the i-th value; the other lanes keep theirs.
  void set(unsigned vgpr, std::initializer_list<std::uint32_t> values) {
    unsigned lane = 0;
    for (const std::uint32_t value : values)
      wave().vector[vgpr][lane++] = value;
  }
  // Lane i gets value(i).
  template <typename Function>
  void set_each(unsigned vgpr, Function value) {
    for (unsigned lane = 0; lane < k_wave_size; ++lane)
      wave().vector[vgpr][lane] = value(lane);
  }
  template <typename Function>
  void set_each_wide(unsigned vgpr, Function value) {
    for (unsigned lane = 0; lane < k_wave_size; ++lane) {
      const std::uint64_t both = value(lane);
      wave().vector[vgpr][lane] = std::uint32_t(both);
      wave().vector[vgpr + 1][lane] = std::uint32_t(both >> 32);
    }
  }
  [[nodiscard]] std::uint32_t lane(unsigned vgpr, unsigned number = 0) { return wave().vector[vgpr][number]; }
  [[nodiscard]] std::uint64_t wide(unsigned vgpr, unsigned number = 0) {
    return lane(vgpr, number) | (std::uint64_t(lane(vgpr + 1, number)) << 32);
  }

  // v0 in lane 0 after `text` with v1, v2, v3 set in every lane; v0 itself starts with k_untouched.
  std::uint32_t apply(const std::string& text, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0) {
    fill(0, k_untouched);
    fill(1, a);
    fill(2, b);
    fill(3, c);
    run(text);
    return lane(0);
  }
  std::uint32_t apply_float(const std::string& text, float a, float b = 0, float c = 0) {
    return apply(text, bits(a), bits(b), bits(c));
  }
  // v[0:1] after `text` with v[2:3], v[4:5], v[6:7] set.
  std::uint64_t apply_wide(const std::string& text, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    fill_wide(0, 0xcdcdcdcdcdcdcdcdU);
    fill_wide(2, a);
    fill_wide(4, b);
    fill_wide(6, c);
    run(text);
    return wide(0);
  }
};

} // namespace hk::sim::testing
