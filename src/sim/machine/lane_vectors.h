#pragma once
// What instructions of all families do with 64 lanes at once, on the host's vectors.

#include <cstddef>
#include <cstdint>

#include "sim/machine/instruction.h"

namespace hk::sim {

// target[lane] = words[lane] for the lanes of the mask.
void store_lanes(std::uint32_t* target, const std::uint32_t* words, std::uint64_t mask);

// 0 or 1 per lane from a mask, and the mask of the lanes that are not zero.
void expand_lane_mask(std::uint64_t mask, std::uint32_t* lanes);
std::uint64_t pack_lane_mask(const std::uint32_t* lanes);

// addresses[lane] = base[lane] + offset modulo 2^32, for all lanes; returns the largest of the lanes of the mask, or 0.
std::uint32_t offset_addresses(const std::uint32_t* base, std::uint32_t offset, std::uint64_t mask,
                               std::uint64_t* addresses);

// The least and the largest of all 64 addresses.
struct AddressBounds {
  std::uint64_t least = 0;
  std::uint64_t largest = 0;
};
AddressBounds bounds_of(const std::uint64_t* addresses);

// Four dwords per lane between memory and registers, for all 64 lanes: dword i of a lane is rows[i][lane]. The bytes
// of a lane lie at bytes + (addresses[lane] - origin).
void load_four_dwords(const std::byte* bytes, std::uint64_t origin, const std::uint64_t* addresses,
                      std::uint32_t (*rows)[k_wave_size]);
// The same between registers and an array of four dwords per lane.
void gather_four_dwords(const std::uint32_t (*rows)[k_wave_size], std::uint32_t* lanes);

} // namespace hk::sim
