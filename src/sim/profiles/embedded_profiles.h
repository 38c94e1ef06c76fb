#pragma once
// The text of the device profiles, put into the library at build time.

#include <span>
#include <string_view>

namespace hk::sim {

struct EmbeddedProfile {
  std::string_view name; // "mi300x"
  std::string_view text;
};

std::span<const EmbeddedProfile> embedded_profiles();

} // namespace hk::sim
