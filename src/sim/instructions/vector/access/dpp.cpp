#include "sim/instructions/vector/access/dpp.h"

#include <memory>

namespace hk::sim::vector {

namespace {

// Which lane each lane reads, whatever EXEC is.
struct Sources {
  std::array<std::uint8_t, k_wave_size> source{};
  std::uint64_t exists = 0; // lanes that have one
};

// source_of gives the lane that a lane reads, or -1 if there is none.
template <typename SourceOf>
void fill_sources(Sources& lanes, SourceOf source_of) {
  for (int lane = 0; lane < k_wave_size; ++lane) {
    const int source = source_of(lane);
    lanes.source[lane] = std::uint8_t(source < 0 ? 0 : source);
    lanes.exists |= std::uint64_t(source >= 0) << lane;
  }
}

// Within the row of 16 lanes, or none.
int in_row(int lane, int position) {
  return position >= 0 && position < 16 ? (lane & ~15) + position : -1;
}

void fill_sources(Sources& lanes, DppControl control, int amount) {
  switch (control) {
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

// Every control with every amount that its encoding has room for, worked out once.
constexpr std::size_t k_controls = std::size_t(DppControl::row_newbcast) + 1;
constexpr std::size_t k_amounts = 256; // quad_perm has 8 bits

const Sources& sources_of(const Modifiers& modifiers) {
  static const auto table = [] {
    auto built = std::make_unique<std::array<std::array<Sources, k_amounts>, k_controls>>();
    for (std::size_t control = 0; control < k_controls; ++control)
      for (std::size_t amount = 0; amount < k_amounts; ++amount)
        fill_sources((*built)[control][amount], DppControl(control), int(amount));
    return built;
  }();
  return (*table)[std::size_t(modifiers.dpp)][modifiers.dpp_value];
}

} // namespace

DppLanes dpp_lanes(const Modifiers& modifiers, std::uint64_t exec) {
  const Sources& sources = sources_of(modifiers);
  DppLanes lanes;
  lanes.source = sources.source.data();
  lanes.valid = sources.exists;
  if (exec != ~std::uint64_t{0})
    for (int lane = 0; lane < k_wave_size; ++lane)
      lanes.valid &= ~(std::uint64_t(((exec >> lanes.source[lane]) & 1) == 0) << lane);
  if (modifiers.row_mask == 0xf && modifiers.bank_mask == 0xf) {
    lanes.selected = ~std::uint64_t{0};
    return lanes;
  }
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned bank = 0; bank < 4; ++bank)
      if (((modifiers.row_mask >> row) & 1) != 0 && ((modifiers.bank_mask >> bank) & 1) != 0)
        lanes.selected |= std::uint64_t{0xf} << (16 * row + 4 * bank);
  return lanes;
}

} // namespace hk::sim::vector
