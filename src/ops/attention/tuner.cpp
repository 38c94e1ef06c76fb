#include "ops/attention/tuner.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/log.h"
#include "base/trace.h"
#include "base/usable_processors.h"
#include "ops/attention/attention_trials.h"
#include "ops/attention/search_space.h"
#include "ops/attention/self_check.h"
#include "ops/attention/source_writer.h"
#include "ops/attention/tuning_key.h"
#include "service/header_bundle.h"

namespace hk::ops {
namespace {

// How long to wait for another process that measures the same problem, beyond the time that measuring may take: its
// candidates are compiled first.
constexpr std::chrono::seconds k_compile_margin{90};

std::int64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

std::string tool_chain_digest(const compile::Compiler& compiler) {
  const Result<compile::ToolChain>& tool_chain = compiler.tool_chain();
  if (!tool_chain)
    return "unknown";
  std::string text = tool_chain->library.build_id + " " + tool_chain->support.build_id;
  for (const compile::LibraryIdentity& generator : tool_chain->code_generators)
    text += " " + generator.build_id;
  return base::to_hex(base::hash128(text));
}

// Whether a candidate may fail today and not tomorrow: what was decided without it is not for the record.
bool lies_in_the_circumstances(const Status& failure) {
  switch (failure.code) {
  case StatusCode::not_cached:
  case StatusCode::no_compiler:
  case StatusCode::compile_timeout:
  case StatusCode::compiler_crashed:
  case StatusCode::out_of_memory:
    return true;
  default:
    return false;
  }
}

} // namespace

service::KernelRecipe attention_recipe(device::Driver& driver, const AttentionProblem& problem,
                                       const AttentionSpec& spec, base::SelfCheck self_check) {
  return {symbol_of(spec), attention_source(spec),
          attention_self_check(driver, problem, spec.configuration, self_check)};
}

std::string AttentionTuner::source_digest(const AttentionSpec& spec) const {
  const Result<service::HeaderBundle> bundle =
      service::reachable_headers(attention_source(spec), m_service.target().processor);
  return bundle ? base::to_hex(bundle->digest) : "unknown";
}

std::optional<tune::Record> AttentionTuner::record_of(const AttentionProblem& problem,
                                                      const AttentionSpec& spec) const {
  if (!m_records.enabled())
    return std::nullopt;
  return m_records.find(tuning_key(spec, problem), source_digest(spec));
}

Decision AttentionTuner::known(const AttentionProblem& problem, const AttentionSpec& spec) const {
  const Decision by_rule{default_attention_configuration(problem), DecisionSource::default_rule};
  const std::optional<tune::Record> record = record_of(problem, spec);
  if (!record)
    return by_rule;
  // It may name what this release does not have, or what some problem of these sizes could not be launched with.
  const std::optional<AttentionConfiguration> winner = configuration_named(record->winner, problem);
  const std::vector<AttentionConfiguration> space = attention_search_space(problem);
  if (!winner || std::find(space.begin(), space.end(), *winner) == space.end())
    return by_rule;
  return {*winner, record->evidence == tune::Evidence::measured ? DecisionSource::measured_record
                                                                : DecisionSource::modelled_record};
}

bool AttentionTuner::found_wrong(const AttentionProblem& problem, const AttentionSpec& spec) const {
  const std::optional<Report> report = report_of(problem, spec);
  if (!report)
    return false;
  const std::string name = configuration_name(spec.configuration);
  return report->failure.code == StatusCode::compile_failed ||
         std::ranges::any_of(report->outcome.candidates, [&](const tune::CandidateOutcome& candidate) {
           return candidate.name == name && candidate.state == tune::CandidateState::wrong;
         });
}

Result<Decision> AttentionTuner::decide(const AttentionProblem& problem, const AttentionSpec& spec) {
  // By force once per context: records that are imported afterwards are not measured against.
  const auto measures = [&](const Decision& decision) {
    return (m_policy.mode == base::TuneMode::force && !report_of(problem, spec)) ||
           (m_policy.mode == base::TuneMode::missing && decision.source == DecisionSource::default_rule);
  };
  if (const Decision decision = known(problem, spec); !measures(decision))
    return decision;
  const std::string key = tuning_key(spec, problem);
  if (const std::optional<Report> before = report_of(problem, spec);
      before && before->failure.code == StatusCode::compile_failed)
    return fail(before->failure);
  if (!m_driver.info().computes) {
    report(key, {problem, {}, {StatusCode::unsupported, m_driver.info().device + " runs nothing"}});
    return known(problem, spec);
  }
  const std::lock_guard lock(m_measuring);
  // Another thread may have decided while this one waited.
  const service::KernelIdentity identity = tuning_identity(spec, problem);
  if (const std::optional<Decision> decision = m_decisions.find(identity).decision)
    return *decision;
  if (const Decision decision = known(problem, spec); !measures(decision))
    return decision;
  const std::uint64_t generation = m_decisions.generation();
  HK_ASSIGN_OR_RETURN(const Decision decision, decide_in_turn(problem, spec, key));
  m_decisions.set(identity, decision, generation);
  return decision;
}

// One process per machine measures a problem; the others take its record.
Result<Decision> AttentionTuner::decide_in_turn(const AttentionProblem& problem, const AttentionSpec& spec,
                                                const std::string& key) {
  const bool force = m_policy.mode == base::TuneMode::force;
  const std::string source = source_digest(spec);
  const device::DeviceInfo& device = m_driver.info();
  const base::Digest128 matter = base::hash128(key + "\n" + source + "\n" + device.target + "\n" +
                                               std::to_string(device.compute_units) + "\n" + device.profile);
  const auto settled = [&] { return !force && m_records.file_has(key, source); };
  const auto deadline = std::chrono::steady_clock::now() + m_policy.budget + k_compile_margin;
  const cache::Turn turn = m_service.store().wait_for_turn(cache::TurnOf::tuning, matter, deadline, settled);
  if (!force && m_records.find_in_file(key, source))
    return known(problem, spec);
  Result<Report> measured = turn.kind == cache::Turn::Kind::timed_out
                                ? fail(StatusCode::internal, "another process has been measuring it for too long")
                                : measure(problem, spec, key);
  if (!measured) {
    base::log_message(base::LogLevel::warning,
                      key + " was not measured (" + measured.error().message + "): what is known decides");
    report(key, {problem, {}, measured.error()});
    if (measured.error().code == StatusCode::compile_failed)
      return fail(std::move(measured.error()));
    return known(problem, spec);
  }
  // Candidates are numbered as the search space is.
  const AttentionConfiguration winner = attention_search_space(problem)[measured->outcome.winner];
  report(key, std::move(*measured));
  return Decision{winner, DecisionSource::tuned};
}

void AttentionTuner::report(const std::string& key, Report report) {
  const std::lock_guard lock(m_mutex);
  m_reports.insert_or_assign(key, std::move(report));
}

std::optional<AttentionTuner::Report> AttentionTuner::report_of(const AttentionProblem& problem,
                                                                const AttentionSpec& spec) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_reports.find(tuning_key(spec, problem));
  return found == m_reports.end() ? std::nullopt : std::optional(found->second);
}

tune::TuneOptions AttentionTuner::options_for(const std::string& key, const AttentionSpec& spec) const {
  tune::TuneOptions options;
  options.budget = m_policy.budget;
  options.repeatable = m_policy.repeatable_times;
  options.workers = base::usable_processors();
  options.lds_limit = m_driver.info().lds_bytes;
  options.try_order = m_records.likely_order(key, source_digest(spec));
  options.seed = base::hash64(key);
  return options;
}

Result<AttentionTuner::Report> AttentionTuner::measure(const AttentionProblem& problem, const AttentionSpec& spec,
                                                       const std::string& key) {
  base::TraceSpan span("tune", key);
  HK_ASSIGN_OR_RETURN(const std::unique_ptr<AttentionTrials> trials,
                      AttentionTrials::create(m_driver, m_service, problem, spec, m_policy.self_check));
  HK_ASSIGN_OR_RETURN(tune::Outcome outcome, tune::tune(*trials, options_for(key, spec)));
  span.set_outcome(outcome.candidates[outcome.winner].name);
  const auto measured = std::count_if(outcome.candidates.begin(), outcome.candidates.end(),
                                      [](const tune::CandidateOutcome& candidate) { return candidate.samples != 0; });
  service::increment(m_service.counters().tuner_runs);
  service::increment(m_service.counters().tuner_candidates, static_cast<std::uint64_t>(measured));
  base::log_message(base::LogLevel::info,
                    "tuned " + key + ": " + outcome.candidates[outcome.winner].name + ": " + outcome.reason);
  Report found{trials->tried(), std::move(outcome), {}};
  const bool complete = std::none_of(
      found.outcome.candidates.begin(), found.outcome.candidates.end(),
      [](const tune::CandidateOutcome& candidate) { return lies_in_the_circumstances(candidate.failure); });
  // With the times of one candidate nothing was compared; a longer budget, or a quieter machine, may find what this run
  // did not.
  const bool compared = measured > 1 || !found.outcome.budget_spent;
  if (complete && compared)
    remember(found, spec, key);
  return found;
}

void AttentionTuner::remember(const Report& report, const AttentionSpec& spec, const std::string& key) {
  tune::Record record;
  record.key = key;
  record.source = source_digest(spec);
  record.tool_chain = tool_chain_digest(m_service.compiler());
  record.winner = report.outcome.candidates[report.outcome.winner].name;
  record.default_configuration = report.outcome.candidates[report.outcome.default_candidate].name;
  record.gate = "64 rows against fp64 within 2 P + 2 ulp, all outputs written: passed";
  record.date = seconds_since_1970();
  for (const tune::CandidateOutcome& candidate : report.outcome.candidates)
    record.candidates.push_back({candidate.name, tune::candidate_state_name(candidate.state), candidate.median,
                                 candidate.spread, candidate.samples});
  m_records.add(std::move(record), m_policy.mode == base::TuneMode::force);
}

} // namespace hk::ops
