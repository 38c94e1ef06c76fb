#pragma once
// The two instruction sets that the simulator executes, and what differs between them as plain numbers.

#include <cstdint>

namespace hk::sim {

enum class Target : std::uint8_t { gfx942, gfx950 };

constexpr const char* target_name(Target target) {
  return target == Target::gfx942 ? "gfx942" : "gfx950";
}

// LDS of one compute unit, in bytes (hw_numbers: gfx942 64 KiB, gfx950 160 KiB).
constexpr std::uint32_t lds_capacity(Target target) {
  return target == Target::gfx942 ? 64 * 1024 : 160 * 1024;
}

// Generic (FLAT) addresses whose upper 32 bits equal an aperture's go to LDS or scratch. The values are those of the
// Linux driver for GFX9 (kfd_flat_memory: LDS at 1 << 48, scratch at 2 << 48), 4 GiB each.
constexpr std::uint64_t k_shared_aperture_base = std::uint64_t{1} << 48;
constexpr std::uint64_t k_private_aperture_base = std::uint64_t{2} << 48;
constexpr std::uint64_t k_aperture_size = std::uint64_t{1} << 32;

} // namespace hk::sim
