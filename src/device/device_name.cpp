#include "device/device_name.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "codeobj/target_id.h"

namespace hk::device {
namespace {

constexpr std::string_view k_accepted = "use hip:N, cuda:N, sim:mi300x, sim:mi325x, sim:mi355x or null";
constexpr std::array<std::string_view, 3> k_profiles = {"mi300x", "mi325x", "mi355x"};
constexpr std::string_view k_null_processor = "gfx950";

Result<DeviceName> malformed(std::string_view text) {
  return fail(StatusCode::invalid_argument,
              "device \"" + std::string(text) + "\" is not a device name: " + std::string(k_accepted));
}

Result<DeviceName> parse_numbered(std::string_view text, DeviceKind kind, std::string_view ordinal) {
  DeviceName name;
  name.kind = kind;
  const auto [end, error] = std::from_chars(ordinal.data(), ordinal.data() + ordinal.size(), name.ordinal);
  if (error != std::errc{} || end != ordinal.data() + ordinal.size() || name.ordinal < 0)
    return malformed(text);
  return name;
}

Result<DeviceName> parse_null(std::string_view text, std::string_view processor) {
  DeviceName name;
  name.kind = DeviceKind::null;
  name.processor = processor.empty() ? k_null_processor : processor;
  if (!codeobj::is_supported_processor(name.processor))
    return malformed(text);
  return name;
}

} // namespace

std::string DeviceName::to_string() const {
  switch (kind) {
  case DeviceKind::hip:
    return "hip:" + std::to_string(ordinal);
  case DeviceKind::cuda:
    return "cuda:" + std::to_string(ordinal);
  case DeviceKind::simulated:
    return "sim:" + profile;
  case DeviceKind::null:
    break;
  }
  return processor == k_null_processor ? "null" : "null:" + processor;
}

Result<DeviceName> parse_device_name(std::string_view text) {
  if (text.empty())
    return DeviceName{};
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  if (kind == "null")
    return parse_null(text, rest);
  if (kind == "hip")
    return parse_numbered(text, DeviceKind::hip, rest);
  if (kind == "cuda")
    return parse_numbered(text, DeviceKind::cuda, rest);
  if (kind == "sim" && std::find(k_profiles.begin(), k_profiles.end(), rest) != k_profiles.end()) {
    DeviceName name;
    name.kind = DeviceKind::simulated;
    name.profile = rest;
    return name;
  }
  return malformed(text);
}

} // namespace hk::device
