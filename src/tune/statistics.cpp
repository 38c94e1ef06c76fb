#include "tune/statistics.h"

#include <algorithm>
#include <cmath>

namespace hk::tune {
namespace {

constexpr double k_deviation_of_mad = 1.4826;   // 1 / (quantile of the normal distribution at 3/4)
constexpr double k_error_of_median = 1.2533141; // sqrt(pi / 2)
constexpr double k_few_samples = 4.0;           // the error grows by this over the number of samples

} // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double robust_deviation(std::span<const double> values) {
  const double center = median({values.begin(), values.end()});
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values)
    distances.push_back(std::abs(value - center));
  return k_deviation_of_mad * median(std::move(distances));
}

double relative_spread(std::span<const double> values) {
  if (values.size() < 2)
    return 0;
  return robust_deviation(values) / median({values.begin(), values.end()});
}

Estimate median_estimate(std::span<const double> values) {
  if (values.empty())
    return {};
  const double count = static_cast<double>(values.size());
  Estimate estimate;
  estimate.count = values.size();
  estimate.value = median({values.begin(), values.end()});
  estimate.standard_error =
      k_error_of_median * robust_deviation(values) / std::sqrt(count) * (1 + k_few_samples / count);
  return estimate;
}

Estimate log_ratio(std::span<const double> numerator, std::span<const double> denominator) {
  std::vector<double> ratios;
  const std::size_t count = std::min(numerator.size(), denominator.size());
  ratios.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    ratios.push_back(std::log(numerator[i] / denominator[i]));
  return median_estimate(ratios);
}

} // namespace hk::tune
