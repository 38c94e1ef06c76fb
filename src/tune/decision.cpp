#include "tune/decision.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hk::tune {
namespace {

// In standard errors. A choice is made once, at the end: 2.6 is 1 in 200 on one side. Giving a candidate up, or
// accepting it before its error is small, is asked again and again, so it needs more.
constexpr double k_final_confidence = 2.6;
constexpr double k_repeated_confidence = 4.0;

// A candidate that was slower by a quarter in each of the first rounds is not looked at any longer: it would take most
// of the time, and four disturbed samples in a row are one case in 100 000 even where one in twenty is disturbed.
constexpr std::size_t k_hopeless_rounds = 4;
constexpr double k_hopeless_ratio = 1.25;

double band(const Estimate& estimate, const DecisionRule& rule) {
  return std::max(std::log1p(rule.minimum_gain), k_final_confidence * estimate.standard_error);
}

bool surely_faster(const Estimate& gain, const DecisionRule& rule, double confidence) {
  return gain.count >= rule.minimum_samples &&
         gain.value - confidence * gain.standard_error > std::log1p(rule.minimum_gain);
}

std::size_t fastest_of(const SampleTable& samples, std::span<const std::size_t> field) {
  std::size_t fastest = field.front();
  double best = 0;
  for (const std::size_t candidate : field.subspan(1)) {
    const double gain = samples.gain(candidate, field.front()).value;
    if (gain > best) {
      best = gain;
      fastest = candidate;
    }
  }
  return fastest;
}

bool hopeless(const SampleTable& samples, std::size_t candidate, std::size_t reference) {
  const std::span<const double> own = samples.of(candidate);
  const std::span<const double> other = samples.of(reference);
  const std::size_t count = std::min(own.size(), other.size());
  if (count < k_hopeless_rounds)
    return false;
  for (std::size_t i = 0; i < count; ++i)
    if (own[i] < k_hopeless_ratio * other[i])
      return false;
  return true;
}

} // namespace

Decision decide(const SampleTable& samples, std::span<const std::size_t> field, const DecisionRule& rule) {
  Decision decision;
  const std::size_t reference = field.front();
  std::vector<std::size_t> better;
  for (const std::size_t candidate : field.subspan(1))
    if (surely_faster(samples.gain(candidate, reference), rule, k_final_confidence))
      better.push_back(candidate);

  const auto is_equal = [&](std::size_t candidate) {
    const Estimate lead = samples.gain(decision.fastest, candidate);
    return candidate == decision.fastest || lead.value <= band(lead, rule);
  };
  if (better.empty()) {
    decision.fastest = fastest_of(samples, field);
    decision.winner = reference;
    decision.ties.push_back(reference);
    std::copy_if(field.begin() + 1, field.end(), std::back_inserter(decision.ties), is_equal);
    return decision;
  }
  decision.fastest = *std::max_element(better.begin(), better.end(), [&](std::size_t a, std::size_t b) {
    return samples.gain(a, reference).value < samples.gain(b, reference).value;
  });
  std::copy_if(better.begin(), better.end(), std::back_inserter(decision.ties), is_equal);
  decision.winner = decision.ties.front();
  return decision;
}

std::vector<std::size_t> losers(const SampleTable& samples, std::span<const std::size_t> field,
                                const DecisionRule& rule) {
  std::vector<std::size_t> found;
  const std::size_t reference = field.front();
  const std::size_t fastest = fastest_of(samples, field);
  const double least = std::log1p(rule.minimum_gain);
  for (const std::size_t candidate : field.subspan(1)) {
    if (hopeless(samples, candidate, reference)) {
      found.push_back(candidate);
      continue;
    }
    const Estimate gain = samples.gain(candidate, reference);
    if (gain.count < rule.minimum_samples)
      continue;
    const Estimate lead = samples.gain(fastest, candidate);
    if (gain.value + k_repeated_confidence * gain.standard_error < least ||
        (candidate != fastest && lead.value - k_repeated_confidence * lead.standard_error > least))
      found.push_back(candidate);
  }
  return found;
}

bool settled(const SampleTable& samples, std::span<const std::size_t> field, const DecisionRule& rule) {
  const std::size_t reference = field.front();
  const std::size_t fastest = fastest_of(samples, field);
  for (const std::size_t candidate : field.subspan(1)) {
    const Estimate gain = samples.gain(candidate, reference);
    if (gain.count < rule.minimum_samples)
      return false;
    if (gain.standard_error > rule.standard_error && !surely_faster(gain, rule, k_repeated_confidence))
      return false;
    if (candidate != fastest && samples.gain(fastest, candidate).standard_error > rule.standard_error)
      return false;
  }
  return true;
}

} // namespace hk::tune
