#pragma once
// A device profile: what distinguishes one simulated device from another. The numbers are data (profiles/*.profile),
// each line with its source; the digest of the text goes into every tuning record and comparison.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace hk::sim {

struct Profile {
  std::string name;        // "mi300x"
  std::string digest;      // XXH3-128 of the text, hexadecimal
  std::string market_name; // what hipGetDeviceProperties reports
  std::string target_id;   // "gfx942:sramecc+:xnack-"
  std::uint64_t compute_units = 0;
  std::uint64_t xcds = 0;
  std::uint64_t simds_per_compute_unit = 0;
  std::uint64_t waves_per_simd = 0;
  std::uint64_t vector_registers_per_lane = 0; // of a SIMD, shared by its waves
  std::uint64_t vector_register_granule = 0;
  std::uint64_t engine_clock_mhz = 0;
  std::uint64_t lds_bytes = 0; // per compute unit
  std::uint64_t vector_l1_bytes = 0;
  std::uint64_t l2_bytes_per_xcd = 0;
  std::uint64_t l2_channels_per_xcd = 0;
  std::uint64_t cache_line_bytes = 0;
  std::uint64_t infinity_cache_bytes = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t memory_bus_bits = 0;
  std::uint64_t memory_clock_mhz = 0;
  std::uint64_t memory_peak_gb_per_second = 0; // 10^9 bytes
  std::uint64_t memory_achieved_gb_per_second = 0;
  std::uint64_t dispatch_overhead_ns = 0;
  std::uint64_t host_link_gb_per_second = 0;
};

// Every field must be given once, with a source behind '#'. Fails with invalid_argument, naming profile and line.
Result<Profile> parse_profile(std::string_view name, std::string_view text);

// The embedded profile of that name. Fails with no_device, listing the known ones.
Result<Profile> find_profile(std::string_view name);

// The devices that HK_SIM_DEVICES asks for, by ordinal; empty = all profiles, oldest device first. A name may occur
// more than once. Fails with no_device.
Result<std::vector<Profile>> profiles_of_list(std::string_view list);

inline constexpr std::string_view k_default_devices = "mi300x,mi325x,mi355x";

} // namespace hk::sim
