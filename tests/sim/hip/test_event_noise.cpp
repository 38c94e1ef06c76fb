// The noise of HK_SIM_NOISE as a function of seed and query; test_process.cpp has what programs see of it.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "sim/runtime/event_noise.h"

TEST_SUITE_BEGIN("sim_hip");

namespace {

using hk::sim::EventNoise;

constexpr int k_queries = 20000;

std::vector<double> factors(const EventNoise& noise) {
  std::vector<double> values;
  for (std::uint64_t query = 0; query < k_queries; ++query)
    values.push_back(noise.factor(query));
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

} // namespace

TEST_CASE("Without noise every factor is exactly 1") {
  CHECK(EventNoise().factor(0) == 1.0);
  CHECK(EventNoise(7, 0, 0).factor(3) == 1.0);
  const auto off = EventNoise::parse("");
  REQUIRE(off.has_value());
  CHECK(off->factor(12) == 1.0);
}

TEST_CASE("Sigma is the standard deviation of the logarithm, around 0") {
  for (const double sigma : {0.005, 0.04}) {
    std::vector<double> logarithms = factors(EventNoise(1, sigma, 0));
    std::vector<double> squares;
    for (double& value : logarithms) {
      value = std::log(value);
      squares.push_back(value * value);
    }
    // Standard errors: sigma / sqrt(20000) and sigma^2 sqrt(2 / 20000); five of them.
    CHECK(std::abs(mean(logarithms)) < 5 * sigma / std::sqrt(k_queries));
    CHECK(std::abs(mean(squares) / (sigma * sigma) - 1) < 5 * std::sqrt(2.0 / k_queries));
    // As many beyond two sigmas as the normal distribution has: 4.55 %, standard error 0.15 %.
    const auto beyond =
        std::count_if(logarithms.begin(), logarithms.end(), [&](double value) { return std::abs(value) > 2 * sigma; });
    CHECK(std::abs(static_cast<double>(beyond) / k_queries - 0.0455) < 5 * 0.0015);
  }
}

TEST_CASE("The share of outliers, each between 1.5 and 3 times the time") {
  const std::vector<double> values = factors(EventNoise(2, 0, 0.05));
  const auto outliers =
      std::count_if(values.begin(), values.end(), [](double value) { return value >= 1.5 && value < 3; });
  CHECK(std::count(values.begin(), values.end(), 1.0) == k_queries - outliers);
  CHECK(std::abs(static_cast<double>(outliers) / k_queries - 0.05) < 5 * 0.0015);
  CHECK(*std::max_element(values.begin(), values.end()) > 2.9);
}

TEST_CASE("Seed and number of the query decide, and nothing else") {
  const EventNoise noise(3, 0.02, 0.05);
  CHECK(factors(noise) == factors(EventNoise(3, 0.02, 0.05)));
  CHECK(factors(noise) != factors(EventNoise(4, 0.02, 0.05)));
  const std::vector<double> values = factors(noise);
  CHECK(std::set<double>(values.begin(), values.end()).size() == k_queries);
  CHECK(noise.factor(17) == values[17]);
}

TEST_CASE("The text is that of base::read_config: seed:sigma:outliers") {
  const auto noise = EventNoise::parse("3:0.02:0.05");
  REQUIRE(noise.has_value());
  CHECK(noise->factor(5) == EventNoise(3, 0.02, 0.05).factor(5));
  CHECK(EventNoise::parse("18446744073709551615:0:0").has_value());
  for (const char* text : {"3", "3:", "3:0.02", "3:0.02:", "3:0.02:0.05:", "x:0.02:0.05", ":0.02:0.05", "3,0.02,0.05"})
    CHECK(!EventNoise::parse(text).has_value());
}

TEST_SUITE_END();
