#pragma once

#include <bit>
#include <cstdint>

#include "sim/machine/instruction.h"

namespace hk::sim {

// Calls visit(lane) for every set bit, ascending.
template <typename Visit>
void for_each_lane(std::uint64_t exec, Visit visit) {
  if (exec == ~std::uint64_t{0}) {
    for (int lane = 0; lane < k_wave_size; ++lane)
      visit(lane);
    return;
  }
  for (; exec != 0; exec &= exec - 1)
    visit(std::countr_zero(exec));
}

} // namespace hk::sim
