#include "tune/race.h"

#include <algorithm>
#include <cmath>

namespace hk::tune {
namespace {

// First launches load code and fill translation caches. More than one warm-up round serves the clock, which may take
// its time to settle; the pairing of samples copes with what is left.
constexpr std::size_t k_warm_up_rounds = 3;
constexpr int k_warm_up_share = 20; // of the budget: one part in so many is enough for the rounds after the first

constexpr std::size_t k_first_look = 4;     // rounds before hopeless candidates are given up
constexpr std::size_t k_looks_per_size = 8; // later looks come after another eighth of the rounds

bool is_look(std::size_t rounds, std::size_t minimum, std::size_t& next) {
  if (rounds == k_first_look)
    return true;
  if (rounds < std::max(minimum, next))
    return false;
  next = rounds + std::max<std::size_t>(2, rounds / k_looks_per_size);
  return true;
}

} // namespace

Race::Race(Trials& trials, const TuneOptions& options, Outcome& outcome)
    : m_trials(trials), m_options(options), m_outcome(outcome),
      m_rule{options.minimum_gain, options.standard_error, options.repeatable ? 1 : options.minimum_rounds},
      m_samples(outcome.candidates.size()), m_random(options.seed), m_start(options.now()) {}

void Race::run(std::vector<std::size_t> entrants) {
  m_running = std::move(entrants);
  if (m_options.repeatable) {
    measure_once();
    return;
  }
  warm_up();
  if (m_running.size() > 1)
    run_rounds();
}

std::vector<std::size_t> Race::field() const {
  std::vector<std::size_t> sorted = m_running;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

bool Race::out_of_time() {
  if (m_options.now() - m_start < m_options.budget)
    return false;
  m_outcome.budget_spent = true;
  return true;
}

void Race::take_out(std::size_t candidate, CandidateState state, std::string why) {
  m_outcome.candidates[candidate].state = state;
  m_outcome.candidates[candidate].why = std::move(why);
  m_running.erase(std::find(m_running.begin(), m_running.end(), candidate));
}

void Race::skip_from(std::size_t position) {
  while (m_running.size() > position)
    take_out(m_running.back(), CandidateState::skipped, "the time allowed does not suffice for it");
}

bool Race::sample(std::size_t candidate, bool counted) {
  Result<double> time = m_trials.measure(candidate);
  if (time && !(std::isfinite(*time) && *time > 0))
    time = fail(StatusCode::internal, "measuring " + m_outcome.candidates[candidate].name + " gave " +
                                          std::to_string(*time) + " us, which is no time; check the device's events");
  if (!time) {
    m_outcome.candidates[candidate].failure = time.error();
    take_out(candidate, CandidateState::failed, std::move(time.error().message));
    return false;
  }
  if (counted)
    m_samples.add(candidate, *time);
  return true;
}

void Race::measure_once() {
  std::size_t position = 0;
  while (position < m_running.size()) {
    if (position > 0 && out_of_time()) {
      skip_from(position);
      break;
    }
    if (sample(m_running[position], true))
      ++position;
  }
  m_outcome.rounds = 1;
}

void Race::warm_up() {
  std::size_t position = 0;
  while (position < m_running.size()) {
    if (position > 0 && out_of_time()) {
      skip_from(position);
      return;
    }
    if (sample(m_running[position], false))
      ++position;
  }
  const auto first_round = m_options.now() - m_start;
  fit_into_budget(first_round / static_cast<std::int64_t>(std::max<std::size_t>(1, m_running.size())));
  for (std::size_t round = 1; round < k_warm_up_rounds; ++round)
    for (const std::size_t candidate : std::vector(m_running)) {
      if ((m_options.now() - m_start) * k_warm_up_share > m_options.budget)
        return;
      sample(candidate, false);
    }
}

// A race that has to end before its minimum of rounds finds nothing out. A smaller field, of those that come first in
// the order of trying, does.
void Race::fit_into_budget(std::chrono::nanoseconds time_per_sample) {
  const auto left = m_options.budget - (m_options.now() - m_start);
  const auto round_of_one = time_per_sample * static_cast<std::int64_t>(m_options.minimum_rounds);
  if (round_of_one.count() <= 0 || left >= round_of_one * static_cast<std::int64_t>(m_running.size()))
    return;
  m_outcome.budget_spent = true;
  skip_from(static_cast<std::size_t>(std::max<std::int64_t>(1, left / round_of_one)));
}

// Every candidate once, in an order that changes from round to round, so that nobody always runs behind the same
// neighbour or at the same time of a drift: a random order, turned by one place each round, drawn again when it has
// gone round.
std::vector<std::size_t> Race::order_of(std::size_t round) {
  const std::size_t count = m_running.size();
  if (m_shuffled.size() != count || round % count == 0) {
    m_shuffled = field();
    for (std::size_t i = count; i > 1; --i)
      std::swap(m_shuffled[i - 1], m_shuffled[m_random() % i]);
  }
  std::vector<std::size_t> order = m_shuffled;
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(round % count), order.end());
  return order;
}

void Race::stop_losers() {
  const std::vector<std::size_t> sorted = field();
  for (const std::size_t candidate : losers(m_samples, sorted, m_rule))
    take_out(candidate, CandidateState::stopped,
             "slower than others, or not faster than " + m_outcome.candidates[sorted.front()].name +
                 " by the least that counts, as far as the noise allows to say");
}

void Race::run_rounds() {
  std::size_t next_look = 0;
  for (std::size_t round = 0; round < m_options.maximum_rounds; ++round) {
    for (const std::size_t candidate : order_of(round)) {
      if (out_of_time())
        return;
      sample(candidate, true);
    }
    m_outcome.rounds = round + 1;
    if (m_running.size() < 2)
      return;
    if (!is_look(round + 1, m_options.minimum_rounds, next_look))
      continue;
    stop_losers();
    if (m_running.size() < 2 || settled(m_samples, field(), m_rule))
      return;
  }
}

} // namespace hk::tune
