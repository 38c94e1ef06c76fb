#include "sim/instructions/vector/access/dpp.h"

namespace hk::sim::vector {

namespace {

// The lane that `lane` reads, or -1 if there is none.
int dpp_source(const Modifiers& modifiers, int lane) {
  const int row = lane & ~15;
  const int in_row = lane & 15;
  const int amount = modifiers.dpp_value;
  const auto within_row = [row](int position) { return position >= 0 && position < 16 ? row + position : -1; };
  const auto within_wave = [](int position) { return position >= 0 && position < k_wave_size ? position : -1; };
  switch (modifiers.dpp) {
  case DppControl::none:
    return lane;
  case DppControl::quad_perm:
    return (lane & ~3) | ((amount >> (2 * (lane & 3))) & 3);
  case DppControl::row_shl:
    return within_row(in_row + amount);
  case DppControl::row_shr:
    return within_row(in_row - amount);
  case DppControl::row_ror:
    return row + ((in_row - amount) & 15);
  case DppControl::wave_shl:
    return within_wave(lane + 1);
  case DppControl::wave_rol:
    return (lane + 1) & 63;
  case DppControl::wave_shr:
    return within_wave(lane - 1);
  case DppControl::wave_ror:
    return (lane - 1) & 63;
  case DppControl::row_mirror:
    return row + 15 - in_row;
  case DppControl::row_half_mirror:
    return (lane & ~7) + 7 - (lane & 7);
  case DppControl::row_bcast:
    // 15: the last lane of a row goes to the next row; 31: lane 31 goes to the rows 2 and 3.
    if (amount == 15)
      return row == 0 ? -1 : row - 1;
    return lane >= 32 ? 31 : -1;
  case DppControl::row_newbcast:
    return row + (amount & 15);
  }
  return -1;
}

} // namespace

DppLanes dpp_lanes(const Modifiers& modifiers, std::uint64_t exec) {
  DppLanes lanes;
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const std::uint64_t bit = std::uint64_t{1} << lane;
    const int source = dpp_source(modifiers, lane);
    if (source >= 0 && ((exec >> source) & 1) != 0) {
      lanes.source[lane] = std::uint8_t(source);
      lanes.valid |= bit;
    }
    if (((modifiers.row_mask >> (lane >> 4)) & 1) != 0 && ((modifiers.bank_mask >> ((lane & 15) >> 2)) & 1) != 0)
      lanes.selected |= bit;
  }
  return lanes;
}

} // namespace hk::sim::vector
