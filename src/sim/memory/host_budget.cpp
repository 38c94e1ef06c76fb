#include "sim/memory/host_budget.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "sim/memory/allocation.h"

namespace hk::sim {
namespace {

constexpr std::uint64_t k_unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t k_not_worth_asking = std::uint64_t{16} << 20;

// A field of /proc/meminfo, in bytes.
std::optional<std::uint64_t> memory_field(const std::string& name) {
  std::ifstream file("/proc/meminfo");
  std::string field;
  std::uint64_t kibibytes = 0;
  std::string rest;
  while (file >> field >> kibibytes && std::getline(file, rest))
    if (field == name)
      return kibibytes * 1024;
  return std::nullopt;
}

// A number in a file of control group v2 as a container sees it; "max" and absent files are no limit.
std::optional<std::uint64_t> group_field(const char* path) {
  std::ifstream file(path);
  std::string text;
  if (!(file >> text))
    return std::nullopt;
  std::uint64_t value = 0;
  const std::from_chars_result parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{})
    return std::nullopt;
  return value;
}

std::uint64_t group_limit() {
  return group_field("/sys/fs/cgroup/memory.max").value_or(k_unlimited);
}

} // namespace

std::uint64_t total_host_memory() {
  return std::min(memory_field("MemTotal:").value_or(std::uint64_t{1} << 32), group_limit());
}

std::uint64_t available_host_memory() {
  std::uint64_t available = memory_field("MemAvailable:").value_or(k_unlimited);
  const std::uint64_t limit = group_limit();
  if (limit != k_unlimited) {
    const std::uint64_t used = group_field("/sys/fs/cgroup/memory.current").value_or(0);
    available = std::min(available, limit > used ? limit - used : 0);
  }
  return available;
}

Status check_host_can_hold(std::uint64_t bytes) {
  if (bytes < k_not_worth_asking)
    return {};
  const std::uint64_t available = available_host_memory();
  if (bytes <= available)
    return {};
  return Status(StatusCode::out_of_memory, "the simulated device has room for " + bytes_text(bytes) +
                                               ", but this host has only " + std::to_string(available) +
                                               " left to hold them; use a smaller problem or a host with more memory");
}

} // namespace hk::sim
