#include "sim/profiles/profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/hash.h"
#include "sim/profiles/embedded_profiles.h"

namespace hk::sim {
namespace {

struct NumberField {
  std::string_view key;
  std::uint64_t Profile::* member;
};
struct TextField {
  std::string_view key;
  std::string Profile::* member;
};

constexpr std::array k_numbers = {
    NumberField{"compute_units", &Profile::compute_units},
    NumberField{"xcds", &Profile::xcds},
    NumberField{"simds_per_compute_unit", &Profile::simds_per_compute_unit},
    NumberField{"waves_per_simd", &Profile::waves_per_simd},
    NumberField{"vector_registers_per_lane", &Profile::vector_registers_per_lane},
    NumberField{"vector_register_granule", &Profile::vector_register_granule},
    NumberField{"engine_clock_mhz", &Profile::engine_clock_mhz},
    NumberField{"lds_bytes", &Profile::lds_bytes},
    NumberField{"vector_l1_bytes", &Profile::vector_l1_bytes},
    NumberField{"l2_bytes_per_xcd", &Profile::l2_bytes_per_xcd},
    NumberField{"l2_channels_per_xcd", &Profile::l2_channels_per_xcd},
    NumberField{"cache_line_bytes", &Profile::cache_line_bytes},
    NumberField{"infinity_cache_bytes", &Profile::infinity_cache_bytes},
    NumberField{"memory_bytes", &Profile::memory_bytes},
    NumberField{"memory_bus_bits", &Profile::memory_bus_bits},
    NumberField{"memory_clock_mhz", &Profile::memory_clock_mhz},
    NumberField{"memory_peak_gb_per_second", &Profile::memory_peak_gb_per_second},
    NumberField{"memory_achieved_gb_per_second", &Profile::memory_achieved_gb_per_second},
    NumberField{"dispatch_overhead_ns", &Profile::dispatch_overhead_ns},
    NumberField{"host_link_gb_per_second", &Profile::host_link_gb_per_second},
};
constexpr std::array k_texts = {
    TextField{"market_name", &Profile::market_name},
    TextField{"target_id", &Profile::target_id},
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\r'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// Takes the part in front of the separator off the text.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool assign(Profile& profile, std::string_view key, std::string_view value) {
  for (const TextField& field : k_texts) {
    if (field.key == key) {
      profile.*field.member = value;
      return !value.empty();
    }
  }
  for (const NumberField& field : k_numbers) {
    if (field.key == key) {
      const char* end = value.data() + value.size();
      const std::from_chars_result result = std::from_chars(value.data(), end, profile.*field.member);
      return result.ec == std::errc{} && result.ptr == end && profile.*field.member != 0;
    }
  }
  return false;
}

} // namespace

Result<Profile> parse_profile(std::string_view name, std::string_view text) {
  const auto damaged = [&](std::string_view what) {
    return fail(StatusCode::invalid_argument, "device profile " + std::string(name) + ": " + std::string(what));
  };
  Profile profile;
  profile.name = name;
  profile.digest = base::to_hex(base::hash128(text));
  std::set<std::string_view> seen;
  while (!text.empty()) {
    const std::string_view line = trimmed(take_until(text, '\n'));
    if (line.empty() || line.front() == '#')
      continue;
    std::string_view source = line;
    std::string_view value = take_until(source, '#');
    const std::string_view key = trimmed(take_until(value, '='));
    if (trimmed(source).empty())
      return damaged("'" + std::string(line) + "' names no source; write one behind '#'");
    if (!seen.insert(key).second)
      return damaged("'" + std::string(key) + "' is given twice");
    if (!assign(profile, key, trimmed(value)))
      return damaged("'" + std::string(line) + "' has an unknown key or a value that is no positive number");
  }
  for (const NumberField& field : k_numbers)
    if (!seen.contains(field.key))
      return damaged("'" + std::string(field.key) + "' is missing");
  for (const TextField& field : k_texts)
    if (!seen.contains(field.key))
      return damaged("'" + std::string(field.key) + "' is missing");
  return profile;
}

Result<Profile> find_profile(std::string_view name) {
  std::string known;
  for (const EmbeddedProfile& embedded : embedded_profiles()) {
    if (embedded.name == name)
      return parse_profile(embedded.name, embedded.text);
    known += (known.empty() ? "" : ", ") + std::string(embedded.name);
  }
  return fail(StatusCode::no_device,
              "there is no simulated device '" + std::string(name) + "'; HK_SIM_DEVICES may list " + known);
}

Result<std::vector<Profile>> profiles_of_list(std::string_view list) {
  std::string_view rest = list.empty() ? k_default_devices : list;
  std::vector<Profile> profiles;
  while (!rest.empty()) {
    HK_ASSIGN_OR_RETURN(Profile profile, find_profile(trimmed(take_until(rest, ','))));
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

} // namespace hk::sim
