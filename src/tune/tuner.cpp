#include "tune/tuner.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <thread>

#include "tune/race.h"
#include "tune/statistics.h"

namespace hk::tune {
namespace {

void note_failure(CandidateOutcome& candidate, CandidateState state, Status failure) {
  candidate.state = state;
  candidate.why = failure.message;
  candidate.failure = std::move(failure);
}

// All candidates, those with a place in the caller's order first; the default before everybody.
std::vector<std::size_t> trying_order(const std::vector<CandidateOutcome>& candidates,
                                      const std::vector<std::string>& wanted) {
  std::vector<std::size_t> order{0};
  const auto append = [&](std::size_t candidate) {
    if (std::find(order.begin(), order.end(), candidate) == order.end())
      order.push_back(candidate);
  };
  for (const std::string& name : wanted)
    for (std::size_t candidate = 0; candidate < candidates.size(); ++candidate)
      if (candidates[candidate].name == name)
        append(candidate);
  for (std::size_t candidate = 0; candidate < candidates.size(); ++candidate)
    append(candidate);
  return order;
}

// What a caller's code throws must not end the program from within a thread.
Result<Facts> prepare_one(Trials& trials, std::size_t candidate) {
  try {
    return trials.prepare(candidate);
  } catch (const std::exception& exception) {
    return fail(StatusCode::internal, std::string("preparing a candidate failed: ") + exception.what());
  }
}

void prepare_all(Trials& trials, const std::vector<std::size_t>& order, std::size_t workers, Outcome& outcome) {
  std::vector<Result<Facts>> prepared(order.size(), Facts{});
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < order.size(); i = next++)
      prepared[i] = prepare_one(trials, order[i]);
  };
  std::vector<std::thread> threads;
  const std::size_t wanted = std::min(std::max<std::size_t>(1, workers), order.size());
  threads.reserve(wanted);
  while (threads.size() + 1 < wanted) {
    try {
      threads.emplace_back(work);
    } catch (const std::exception&) {
      break; // the machine gives no more threads: these do the work
    }
  }
  work();
  for (std::thread& thread : threads)
    thread.join();
  for (std::size_t i = 0; i < order.size(); ++i) {
    CandidateOutcome& candidate = outcome.candidates[order[i]];
    if (prepared[i])
      candidate.facts = *prepared[i];
    else
      note_failure(candidate, CandidateState::failed, std::move(prepared[i].error()));
  }
}

void prune_all(std::uint64_t lds_limit, Outcome& outcome) {
  std::vector<const Facts*> facts;
  facts.reserve(outcome.candidates.size());
  for (const CandidateOutcome& candidate : outcome.candidates)
    facts.push_back(candidate.facts ? &*candidate.facts : nullptr);
  std::vector<std::string> reasons = prune(facts, lds_limit);
  for (std::size_t i = 0; i < reasons.size(); ++i)
    if (!reasons[i].empty()) {
      outcome.candidates[i].state = CandidateState::pruned;
      outcome.candidates[i].why = std::move(reasons[i]);
    }
}

bool could_not_run(StatusCode code) {
  return code == StatusCode::launch_failed || code == StatusCode::load_failed || code == StatusCode::out_of_memory;
}

// The candidates that may be timed, in the order given.
std::vector<std::size_t> verify_all(Trials& trials, const std::vector<std::size_t>& order, Outcome& outcome) {
  std::vector<std::size_t> right;
  for (const std::size_t i : order) {
    CandidateOutcome& candidate = outcome.candidates[i];
    if (candidate.state == CandidateState::failed || candidate.state == CandidateState::pruned)
      continue;
    Status status = trials.verify(i);
    if (status.ok()) {
      candidate.verified = true;
      right.push_back(i);
    } else {
      const CandidateState state = could_not_run(status.code) ? CandidateState::failed : CandidateState::wrong;
      note_failure(candidate, state, std::move(status));
    }
  }
  return right;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %%", 100 * share);
  return text;
}

// "a", "a and b", "a, b and c"
std::string list_of(const Outcome& outcome, const std::vector<std::size_t>& candidates) {
  std::string text;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    text += (i == 0 ? "" : i + 1 < candidates.size() ? ", " : " and ") + outcome.candidates[candidates[i]].name;
  return text;
}

void fill_statistics(const SampleTable& samples, std::size_t reference, Outcome& outcome) {
  for (std::size_t i = 0; i < outcome.candidates.size(); ++i) {
    const std::span<const double> own = samples.of(i);
    if (own.empty())
      continue;
    CandidateOutcome& candidate = outcome.candidates[i];
    candidate.samples = own.size();
    candidate.median = median({own.begin(), own.end()});
    candidate.spread = relative_spread(own);
    const Estimate gain = samples.gain(i, reference);
    candidate.speedup = gain.count > 0 ? std::exp(gain.value) : 0;
    candidate.uncertainty = gain.standard_error;
  }
}

std::string why_not_default(const CandidateOutcome& candidate) {
  if (candidate.state == CandidateState::wrong)
    return "the default configuration gives wrong results (" + candidate.why + "); ";
  return "the default configuration cannot be used (" + candidate.why + "); ";
}

std::string reason_of(const Outcome& outcome, const Decision& decision, std::size_t reference,
                      const DecisionRule& rule) {
  const CandidateOutcome& winner = outcome.candidates[decision.winner];
  const std::string base = reference == 0 ? "the default" : outcome.candidates[reference].name;
  if (decision.winner == reference) {
    if (winner.samples < rule.minimum_samples)
      return "the time allowed does not suffice to compare others with " + base;
    if (decision.fastest == reference)
      return base + " is the fastest";
    const CandidateOutcome& fastest = outcome.candidates[decision.fastest];
    return base + " stays: the fastest other, " + fastest.name + ", gains " + percent(fastest.speedup - 1) + " +- " +
           percent(fastest.uncertainty) + ", which is not surely more than " + percent(rule.minimum_gain);
  }
  std::string text = winner.name + " is faster than " + base + " by " + percent(winner.speedup - 1) + " +- " +
                     percent(winner.uncertainty) + " in " + std::to_string(winner.samples) +
                     (winner.samples == 1 ? " sample" : " samples");
  if (decision.ties.size() > 1)
    text += "; " + list_of(outcome, decision.ties) + " are equal within the noise, and the first is taken";
  return text;
}

// Takes the decision from the race. Nothing is left of it if every candidate failed on the way, some after others had
// been given up: then those are what remains.
std::vector<std::size_t> remaining_field(const Race& race, const Outcome& outcome) {
  std::vector<std::size_t> field = race.field();
  for (std::size_t i = 0; field.empty() && i < outcome.candidates.size(); ++i)
    if (outcome.candidates[i].state == CandidateState::stopped)
      field.push_back(i);
  return field;
}

Result<Outcome> all_failed(const Outcome& outcome) {
  const CandidateOutcome& first = outcome.candidates.front();
  if (!first.failure.ok())
    return fail(first.failure);
  return fail(StatusCode::unsupported, "no configuration can be used; the default, " + first.name + ", " + first.why);
}

Outcome finished(Outcome outcome, std::size_t winner, std::string reason) {
  if (outcome.candidates.front().failure.code != StatusCode::success ||
      outcome.candidates.front().state == CandidateState::pruned)
    reason.insert(0, why_not_default(outcome.candidates.front()));
  outcome.winner = winner;
  outcome.reason = std::move(reason);
  return outcome;
}

} // namespace

const char* candidate_state_name(CandidateState state) noexcept {
  switch (state) {
  case CandidateState::measured:
    return "measured";
  case CandidateState::stopped:
    return "stopped early";
  case CandidateState::pruned:
    return "pruned";
  case CandidateState::failed:
    return "failed";
  case CandidateState::wrong:
    return "wrong";
  case CandidateState::skipped:
    return "skipped";
  }
  return "";
}

Result<Outcome> tune(Trials& trials, const TuneOptions& options) {
  Outcome outcome;
  outcome.candidates.resize(trials.count());
  if (outcome.candidates.empty())
    return fail(StatusCode::invalid_argument, "there is no configuration to choose from");
  for (std::size_t i = 0; i < outcome.candidates.size(); ++i)
    outcome.candidates[i].name = trials.name(i);

  const std::vector<std::size_t> order = trying_order(outcome.candidates, options.try_order);
  prepare_all(trials, order, options.workers, outcome);
  prune_all(options.lds_limit, outcome);
  const std::vector<std::size_t> right = verify_all(trials, order, outcome);
  if (right.empty())
    return all_failed(outcome);
  if (right.size() == 1) {
    outcome.ties = right;
    outcome.candidates[right.front()].why = "there is nothing to compare it with";
    return finished(std::move(outcome), right.front(), "no other configuration can be used");
  }

  Race race(trials, options, outcome);
  race.run(right);
  const std::vector<std::size_t> field = remaining_field(race, outcome);
  if (field.empty())
    return all_failed(outcome);
  for (const std::size_t i : race.field()) {
    if (!race.samples().of(i).empty())
      outcome.candidates[i].state = CandidateState::measured;
    else
      outcome.candidates[i].why = "the time allowed does not suffice for it";
  }
  fill_statistics(race.samples(), field.front(), outcome);
  const Decision decision = decide(race.samples(), field, race.rule());
  outcome.ties = decision.ties;
  std::string reason = reason_of(outcome, decision, field.front(), race.rule());
  return finished(std::move(outcome), decision.winner, std::move(reason));
}

} // namespace hk::tune
