#pragma once
// Robust statistics of times: medians, so that a disturbed sample counts no more than any other, and ratios of samples
// that were taken next to each other, so that a drifting clock cancels.

#include <cstddef>
#include <span>
#include <vector>

namespace hk::tune {

struct Estimate {
  double value = 0;
  double standard_error = 0;
  std::size_t count = 0;
};

// Of at least one value; the mean of the middle two where their number is even.
double median(std::vector<double> values);

// 1.4826 times the median distance from the median: the standard deviation if the values are normal, and hardly moved
// by a few that are not.
double robust_deviation(std::span<const double> values);

// robust_deviation / median; 0 for fewer than two values. The values are positive.
double relative_spread(std::span<const double> values);

// The median of the values and its standard error, for normal values: sqrt(pi / 2) * sigma / sqrt(n), enlarged for few
// values, whose own deviation says little about sigma.
Estimate median_estimate(std::span<const double> values);

// median_estimate of log(numerator[i] / denominator[i]) over the places that both have. The values are positive.
Estimate log_ratio(std::span<const double> numerator, std::span<const double> denominator);

} // namespace hk::tune
