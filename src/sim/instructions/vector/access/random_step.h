#pragma once
// The generator behind v_prng_b32, which stochastic conversions of several elements also step.

#include <cstdint>

namespace hk::sim::vector {

constexpr std::uint32_t random_step(std::uint32_t state) {
  return (state << 1) ^ ((state >> 31) != 0 ? 197U : 0U);
}

} // namespace hk::sim::vector
