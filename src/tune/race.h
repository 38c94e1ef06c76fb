#pragma once
// The measuring part of a tuner run: warm-up, interleaved rounds, stopping.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tune/decision.h"
#include "tune/tuner.h"

namespace hk::tune {

class Race {
 public:
  // Notes in `outcome` what becomes of each candidate; both references outlive the race.
  Race(Trials& trials, const TuneOptions& options, Outcome& outcome);

  // `entrants`: candidates in the order in which they are tried, the reference first. At least two.
  void run(std::vector<std::size_t> entrants);

  // Still in the race, ascending.
  [[nodiscard]] std::vector<std::size_t> field() const;
  [[nodiscard]] const SampleTable& samples() const { return m_samples; }
  [[nodiscard]] const DecisionRule& rule() const { return m_rule; }

 private:
  void measure_once();
  void warm_up();
  void fit_into_budget(std::chrono::nanoseconds time_per_sample);
  void run_rounds();
  // False: the candidate failed and is out.
  bool sample(std::size_t candidate, bool counted);
  void take_out(std::size_t candidate, CandidateState state, std::string why);
  void skip_from(std::size_t position);
  void stop_losers();
  std::vector<std::size_t> order_of(std::size_t round);
  bool out_of_time();

  Trials& m_trials;
  const TuneOptions& m_options;
  Outcome& m_outcome;
  DecisionRule m_rule;
  SampleTable m_samples;
  std::vector<std::size_t> m_running; // in the order of trying
  std::vector<std::size_t> m_shuffled;
  std::mt19937_64 m_random;
  std::chrono::steady_clock::time_point m_start;
};

} // namespace hk::tune
