// The choice under noise, over 100 seeds each: the right winner for a gap of 5 %, the default for one of 1 %.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "unit/tune/noisy_trials.h"

namespace {

using hk::test::Noise;
using hk::test::NoisyTrials;
using hk::tune::TuneOptions;

constexpr int k_seeds = 100;
constexpr int k_needed = 99;

// A budget that the tests' own speed cannot touch.
TuneOptions options_of(std::uint64_t seed) {
  TuneOptions options;
  options.budget = std::chrono::hours(1);
  options.seed = seed;
  return options;
}

int wins_of(std::size_t candidate, const std::vector<double>& times, Noise noise, std::size_t most_rounds = 400) {
  int wins = 0;
  std::size_t rounds = 0;
  for (int seed = 0; seed < k_seeds; ++seed) {
    NoisyTrials trials(times, noise, 1000 + static_cast<std::uint64_t>(seed));
    const auto outcome = hk::tune::tune(trials, options_of(static_cast<std::uint64_t>(seed)));
    REQUIRE(outcome.has_value());
    wins += outcome->winner == candidate ? 1 : 0;
    rounds = std::max(rounds, outcome->rounds);
  }
  CHECK(rounds <= most_rounds);
  return wins;
}

constexpr double k_sigmas[] = {0.005, 0.02, 0.04};

} // namespace

TEST_CASE("A candidate that is faster by 5 % wins") {
  for (const double sigma : k_sigmas) {
    CAPTURE(sigma);
    const Noise noise{sigma, 0.05, 0.10};
    CHECK(wins_of(1, {105, 100}, noise) >= k_needed);
    CHECK(wins_of(1, {100, 95}, noise) >= k_needed);
    CHECK(wins_of(3, {105, 105, 110, 100, 150, 106}, noise) >= k_needed);
  }
}

TEST_CASE("A clock that drifts within a few rounds changes nothing") {
  const Noise noise{0.02, 0.05, 0.10, 20};
  CHECK(wins_of(3, {105, 105, 110, 100, 150, 106}, noise) >= k_needed);
  CHECK(wins_of(0, {101, 100, 100, 100, 100.5, 101, 102, 100, 130}, noise) >= k_needed);
}

TEST_CASE("A candidate that is faster by 1 % leaves the default") {
  for (const double sigma : k_sigmas) {
    CAPTURE(sigma);
    const Noise noise{sigma, 0.05, 0.10};
    CHECK(wins_of(0, {101, 100}, noise) >= k_needed);
    CHECK(wins_of(0, {101, 100, 100, 100, 100.5, 101, 102, 100, 130}, noise) >= k_needed);
  }
}
