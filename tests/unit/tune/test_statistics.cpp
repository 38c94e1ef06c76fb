#include "tune/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace hk::tune;

TEST_CASE("Medians of odd and even numbers of values") {
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({4, 1, 3, 2}) == 2.5);
  CHECK(median({7, 7, 1, 100, 7}) == 7);
}

TEST_CASE("The robust deviation by hand: distances 2 1 0 1 95, their median 1") {
  const std::vector<double> values{3, 4, 5, 6, 100};
  CHECK(robust_deviation(values) == doctest::Approx(1.4826));
  CHECK(relative_spread(values) == doctest::Approx(1.4826 / 5));
  CHECK(relative_spread(std::vector<double>{3}) == 0);
  CHECK(relative_spread(std::vector<double>{3, 3, 3}) == 0);
}

TEST_CASE("The error of a median: 1.2533 sigma / sqrt(n), enlarged by 1 + 4 / n") {
  // 16 values of which half lie one below and half one above the middle: MAD 1.
  std::vector<double> values;
  for (int i = 0; i < 8; ++i) {
    values.push_back(9);
    values.push_back(11);
  }
  const Estimate estimate = median_estimate(values);
  CHECK(estimate.value == 10);
  CHECK(estimate.count == 16);
  CHECK(estimate.standard_error == doctest::Approx(1.2533141 * 1.4826 / 4 * 1.25));
  CHECK(median_estimate({}).count == 0);
}

TEST_CASE("Paired ratios cancel a drift that both sides share") {
  std::vector<double> slow;
  std::vector<double> fast;
  for (int i = 0; i < 20; ++i) {
    const double clock = 1 + 0.05 * i; // twice as slow at the end
    slow.push_back(110 * clock);
    fast.push_back(100 * clock);
  }
  const Estimate ratio = log_ratio(slow, fast);
  CHECK(std::exp(ratio.value) == doctest::Approx(1.1));
  CHECK(ratio.standard_error == doctest::Approx(0).epsilon(1e-12));
  // Where one side stopped early, only the rounds that both have count.
  fast.resize(12);
  CHECK(log_ratio(slow, fast).count == 12);
}

TEST_CASE("One disturbed sample in ten moves the median ratio by less than the noise") {
  std::vector<double> slow(20, 105);
  const std::vector<double> fast(20, 100);
  slow[3] = 315;
  slow[11] = 200;
  CHECK(std::exp(log_ratio(slow, fast).value) == doctest::Approx(1.05));
}
