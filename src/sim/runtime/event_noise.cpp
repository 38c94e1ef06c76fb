#include "sim/runtime/event_noise.h"

#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include "sim/machine/schedule_random.h"

namespace hk::sim {
namespace {

constexpr double k_least_outlier = 1.5;
constexpr double k_largest_outlier = 3.0;

// Strictly between 0 and 1.
double uniform(ScheduleRandom& random) {
  return (static_cast<double>(random() >> 12) + 0.5) * 0x1p-52;
}

template <typename Number>
bool take_number(std::string_view& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{})
    return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_colon(std::string_view& text) {
  if (!text.starts_with(':'))
    return false;
  text.remove_prefix(1);
  return true;
}

} // namespace

EventNoise::EventNoise(std::uint64_t seed, double sigma, double outliers)
    : m_seed(seed), m_sigma(sigma), m_outliers(outliers) {}

std::optional<EventNoise> EventNoise::parse(const std::string& text) {
  if (text.empty())
    return EventNoise();
  std::string_view rest = text;
  std::uint64_t seed = 0;
  double sigma = 0;
  double outliers = 0;
  if (!take_number(rest, seed) || !take_colon(rest) || !take_number(rest, sigma) || !take_colon(rest) ||
      !take_number(rest, outliers) || !rest.empty())
    return std::nullopt;
  return EventNoise(seed, sigma, outliers);
}

double EventNoise::factor(std::uint64_t query) const {
  if (m_sigma == 0 && m_outliers == 0)
    return 1;
  ScheduleRandom random;
  random.seed(m_seed, query);
  // Box-Muller: one normal number from two uniform ones.
  const double radius = std::sqrt(-2 * std::log(uniform(random)));
  const double normal = radius * std::cos(2 * std::numbers::pi * uniform(random));
  const bool outlier = uniform(random) < m_outliers;
  const double extent = uniform(random);
  const double factor = std::exp(m_sigma * normal);
  return outlier ? factor * (k_least_outlier + (k_largest_outlier - k_least_outlier) * extent) : factor;
}

} // namespace hk::sim
