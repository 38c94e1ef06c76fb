#include "sim/instructions/vector/access/dpp.h"

namespace hk::sim::vector {

namespace {

// source_of gives the lane that a lane reads, or -1 if there is none.
template <typename SourceOf>
void fill_sources(DppLanes& lanes, SourceOf source_of) {
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const int source = source_of(lane);
    lanes.source[lane] = std::uint8_t(source < 0 ? 0 : source);
    lanes.valid |= std::uint64_t(source >= 0) << lane;
  }
}

// Within the row of 16 lanes, or none.
int in_row(int lane, int position) {
  return position >= 0 && position < 16 ? (lane & ~15) + position : -1;
}

void fill_sources(DppLanes& lanes, const Modifiers& modifiers) {
  const int amount = modifiers.dpp_value;
  switch (modifiers.dpp) {
  case DppControl::none:
    return fill_sources(lanes, [](int lane) { return lane; });
  case DppControl::quad_perm:
    return fill_sources(lanes, [=](int lane) { return (lane & ~3) | ((amount >> (2 * (lane & 3))) & 3); });
  case DppControl::row_shl:
    return fill_sources(lanes, [=](int lane) { return in_row(lane, (lane & 15) + amount); });
  case DppControl::row_shr:
    return fill_sources(lanes, [=](int lane) { return in_row(lane, (lane & 15) - amount); });
  case DppControl::row_ror:
    return fill_sources(lanes, [=](int lane) { return (lane & ~15) + ((lane - amount) & 15); });
  case DppControl::wave_shl:
    return fill_sources(lanes, [](int lane) { return lane < k_wave_size - 1 ? lane + 1 : -1; });
  case DppControl::wave_rol:
    return fill_sources(lanes, [](int lane) { return (lane + 1) & 63; });
  case DppControl::wave_shr:
    return fill_sources(lanes, [](int lane) { return lane - 1; });
  case DppControl::wave_ror:
    return fill_sources(lanes, [](int lane) { return (lane - 1) & 63; });
  case DppControl::row_mirror:
    return fill_sources(lanes, [](int lane) { return (lane & ~15) + 15 - (lane & 15); });
  case DppControl::row_half_mirror:
    return fill_sources(lanes, [](int lane) { return (lane & ~7) + 7 - (lane & 7); });
  case DppControl::row_bcast:
    // 15: the last lane of a row goes to the next row; 31: lane 31 goes to the rows 2 and 3.
    if (amount == 15)
      return fill_sources(lanes, [](int lane) { return (lane & ~15) - 1; });
    return fill_sources(lanes, [](int lane) { return lane >= 32 ? 31 : -1; });
  case DppControl::row_newbcast:
    return fill_sources(lanes, [=](int lane) { return (lane & ~15) + (amount & 15); });
  }
}

} // namespace

DppLanes dpp_lanes(const Modifiers& modifiers, std::uint64_t exec) {
  DppLanes lanes;
  fill_sources(lanes, modifiers);
  if (exec != ~std::uint64_t{0})
    for (int lane = 0; lane < k_wave_size; ++lane)
      lanes.valid &= ~(std::uint64_t(((exec >> lanes.source[lane]) & 1) == 0) << lane);
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned bank = 0; bank < 4; ++bank)
      if (((modifiers.row_mask >> row) & 1) != 0 && ((modifiers.bank_mask >> bank) & 1) != 0)
        lanes.selected |= std::uint64_t{0xf} << (16 * row + 4 * bank);
  return lanes;
}

} // namespace hk::sim::vector
