#pragma once
// Samples of the candidates and what follows from them. Pure: the same samples always give the same choice.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tune/statistics.h"

namespace hk::tune {

// Times by candidate and round. Each candidate is measured in every round until it is out, so its n samples are those
// of the first n rounds.
class SampleTable {
 public:
  explicit SampleTable(std::size_t candidates) : m_samples(candidates) {}

  void add(std::size_t candidate, double microseconds) { m_samples[candidate].push_back(microseconds); }
  [[nodiscard]] std::span<const double> of(std::size_t candidate) const { return m_samples[candidate]; }
  // How much faster `fast` is than `slow`, from the rounds that both have: log(time of slow / time of fast).
  [[nodiscard]] Estimate gain(std::size_t fast, std::size_t slow) const {
    return log_ratio(m_samples[slow], m_samples[fast]);
  }

 private:
  std::vector<std::vector<double>> m_samples;
};

struct DecisionRule {
  double minimum_gain = 0;         // share by which a challenger must be faster than the reference
  double standard_error = 0;       // that the deciding ratios should reach
  std::size_t minimum_samples = 1; // without as many a challenger does not win
};

struct Decision {
  std::size_t winner = 0;
  std::size_t fastest = 0;       // by its median ratio; the winner unless equals or the reference stand before it
  std::vector<std::size_t> ties; // ascending
};

// `field`: candidates still in the race, ascending, not empty; its first is the reference (the default, if it works).
// A challenger displaces the reference only if it is faster by the minimum gain even at the lower end of its
// uncertainty; among those that do, the ones that are within the noise of the fastest are equal, and the first of
// them in candidate order wins: equal kernels give equal choices.
Decision decide(const SampleTable& samples, std::span<const std::size_t> field, const DecisionRule& rule);

// Candidates of the field that have no prospect of winning any more. The reference is never among them.
std::vector<std::size_t> losers(const SampleTable& samples, std::span<const std::size_t> field,
                                const DecisionRule& rule);

// Whether further samples are not needed.
bool settled(const SampleTable& samples, std::span<const std::size_t> field, const DecisionRule& rule);

} // namespace hk::tune
