// What hk_attention_describe says.

#include "base/hash.h"
#include "base/json.h"
#include "ops/attention/attention.h"
#include "ops/attention/launch.h"
#include "ops/attention/search_space.h"
#include "ops/attention/tuning_key.h"

namespace hk::ops {
namespace {

const char* source_text(DecisionSource source, bool simulated) {
  switch (source) {
  case DecisionSource::modelled_record:
    return "tuning record, modelled";
  case DecisionSource::measured_record:
    return "tuning record, measured";
  case DecisionSource::tuned:
    return simulated ? "tuned now, modelled" : "tuned now, measured";
  case DecisionSource::default_rule:
    break;
  }
  return "default rule";
}

base::Json kernel_json(const service::ServedKernel& kernel) {
  base::Json json = base::Json::object();
  json.set("origin", kernel.origin == service::KernelOrigin::compiled ? "compiled" : kernel.store_kind)
      .set("compile_ms", kernel.compile_ms)
      .set("vgprs", kernel.resources.vgprs)
      .set("agprs", kernel.resources.agprs)
      .set("sgprs", kernel.resources.sgprs)
      .set("lds_bytes", kernel.resources.lds_bytes)
      .set("scratch_bytes", kernel.resources.scratch_bytes);
  return json;
}

base::Json candidate_json(const tune::CandidateOutcome& candidate) {
  base::Json json = base::Json::object();
  json.set("configuration", candidate.name)
      .set("state", tune::candidate_state_name(candidate.state))
      .set("median_us", candidate.median)
      .set("spread", candidate.spread)
      .set("samples", candidate.samples)
      .set("speedup", candidate.speedup);
  if (candidate.facts)
    json.set("vgprs", candidate.facts->vgprs)
        .set("agprs", candidate.facts->agprs)
        .set("sgprs", candidate.facts->sgprs)
        .set("lds_bytes", candidate.facts->lds_bytes)
        .set("waves_per_cu", candidate.facts->waves_per_cu());
  json.set("why", candidate.why);
  return json;
}

base::Json candidate_json(const tune::CandidateRecord& candidate) {
  base::Json json = base::Json::object();
  json.set("configuration", candidate.configuration)
      .set("state", candidate.state)
      .set("median_us", candidate.median)
      .set("spread", candidate.spread)
      .set("samples", candidate.samples);
  return json;
}

template <typename Candidate>
base::Json candidates_json(const std::vector<Candidate>& candidates) {
  base::Json array = base::Json::array();
  for (const Candidate& candidate : candidates)
    array.append(candidate_json(candidate));
  return array;
}

base::Json report_json(const AttentionTuner::Report& report) {
  base::Json json = base::Json::object();
  if (!report.failure.ok()) {
    json.set("problem", report.failure.message);
    return json;
  }
  const tune::Outcome& outcome = report.outcome;
  base::Json tried = base::Json::object();
  tried.set("batch", report.tried.batch)
      .set("heads_q", report.tried.heads_q)
      .set("heads_kv", report.tried.heads_kv)
      .set("seq_q", report.tried.seq_q)
      .set("seq_k", report.tried.seq_k);
  json.set("winner", outcome.candidates[outcome.winner].name)
      .set("default", outcome.candidates[outcome.default_candidate].name)
      .set("reason", outcome.reason)
      .set("rounds", outcome.rounds)
      .set("budget_spent", outcome.budget_spent)
      .set("tried", tried)
      .set("candidates", candidates_json(outcome.candidates));
  return json;
}

base::Json record_json(const tune::Record& record) {
  base::Json json = base::Json::object();
  json.set("winner", record.winner)
      .set("default", record.default_configuration)
      .set("gate", record.gate)
      .set("date_seconds", record.date)
      .set("candidates", candidates_json(record.candidates));
  return json;
}

} // namespace

Result<std::string> Attention::describe(const AttentionProblem& problem) const {
  base::Json json = base::Json::object();
  const device::DeviceInfo& device = m_driver.info();
  json.set("operation", "attention").set("device", device.device).set("target", device.target);
  if (problem.empty()) {
    json.set("kernel", "").set("reason", "no output element exists: nothing is launched");
    return json.text();
  }
  const Choice choice = preview(problem);
  const AttentionConfiguration& configuration = choice.spec.configuration;
  HK_ASSIGN_OR_RETURN(const device::LaunchShape shape, attention_launch_shape(problem, configuration));
  const service::ServedKernel* kernel = m_service.peek(identity_of(choice.spec));
  base::Json configured = base::Json::object();
  configured.set("waves", configuration.waves)
      .set("tile_q", configuration.tile_q)
      .set("tile_kv", configuration.tile_kv)
      .set("source", source_text(choice.source, device.simulated));
  json.set("kernel", symbol_of(choice.spec))
      .set("reason", choice.reason)
      .set("alignment", choice.spec.aligned ? "16 bytes" : "element")
      .set("configuration", configured)
      .set("workgroups", shape.workgroups)
      .set("workgroup_size", shape.workgroup_size)
      .set("workspace_bytes", 0)
      .set("loaded", kernel != nullptr);
  if (kernel != nullptr)
    json.set("resources", kernel_json(*kernel));
  json.set("tuning_key", tuning_key(choice.spec, problem));
  if (const auto report = m_tuner.report_of(problem, choice.spec))
    json.set("tuning", report_json(*report));
  else if (const auto record = m_tuner.record_of(problem, choice.spec))
    json.set("tuning", record_json(*record));
  return json.text();
}

} // namespace hk::ops
