#pragma once
// AttentionTuner: decides the configuration of a problem that has none yet: records, then measuring, then the default
// rule. Cold calls only; deciding may take seconds, and is not for a stream that is being captured.

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/config.h"
#include "base/status.h"
#include "device/driver.h"
#include "ops/attention/decision_table.h"
#include "ops/attention/problem.h"
#include "ops/attention/spec.h"
#include "ops/tuning_records.h"
#include "service/kernel_service.h"
#include "tune/tuner.h"

namespace hk::ops {

struct TuningPolicy {
  base::TuneMode mode = base::TuneMode::off; // not automatic
  std::chrono::milliseconds budget{5000};
  base::SelfCheck self_check = base::SelfCheck::automatic;
  bool repeatable_times = false;
};

class AttentionTuner {
 public:
  // All of them outlive the tuner.
  AttentionTuner(device::Driver& driver, service::KernelService& service, TuningRecords& records,
                 DecisionTable& decisions, const TuningPolicy& policy)
      : m_driver(driver), m_service(service), m_records(records), m_decisions(decisions), m_policy(policy) {}

  // What is known without measuring. The configuration of spec is not looked at, here and below.
  [[nodiscard]] Decision known(const AttentionProblem& problem, const AttentionSpec& spec) const;
  // The record behind it, if there is one.
  [[nodiscard]] std::optional<tune::Record> record_of(const AttentionProblem& problem, const AttentionSpec& spec) const;

  // The decision, measured if the mode says so and put into the decision table then. Where measuring is not possible
  // it is what is known; report_of() says why. Threads that want the same problem measured wait for the one that does.
  // Fails with compile_failed if every configuration computes wrong values, from then on without measuring again.
  Result<Decision> decide(const AttentionProblem& problem, const AttentionSpec& spec);

  // What this context's latest measuring of the problem found.
  struct Report {
    AttentionProblem tried; // sizes that were measured
    tune::Outcome outcome;
    Status failure; // not a success: why it was not measured; the rest is empty then
  };
  [[nodiscard]] std::optional<Report> report_of(const AttentionProblem& problem, const AttentionSpec& spec) const;
  // Whether measuring found that the spec with its configuration computes wrong values: it must not serve.
  [[nodiscard]] bool found_wrong(const AttentionProblem& problem, const AttentionSpec& spec) const;

 private:
  Result<Decision> decide_in_turn(const AttentionProblem& problem, const AttentionSpec& spec, const std::string& key);
  Result<Report> measure(const AttentionProblem& problem, const AttentionSpec& spec, const std::string& key);
  [[nodiscard]] tune::TuneOptions options_for(const std::string& key, const AttentionSpec& spec) const;
  void remember(const Report& report, const AttentionSpec& spec, const std::string& key);
  void report(const std::string& key, Report report);
  // Digest of the kernel sources that records depend on.
  [[nodiscard]] std::string source_digest(const AttentionSpec& spec) const;

  device::Driver& m_driver;
  service::KernelService& m_service;
  TuningRecords& m_records;
  DecisionTable& m_decisions;
  TuningPolicy m_policy;
  std::mutex m_measuring;                  // one problem at a time: two would disturb each other's times
  mutable std::mutex m_mutex;              // of m_reports
  std::map<std::string, Report> m_reports; // by tuning key
};

// What a kernel of this spec is made from; the configuration is that of the spec.
service::KernelRecipe attention_recipe(device::Driver& driver, const AttentionProblem& problem,
                                       const AttentionSpec& spec, base::SelfCheck self_check);

} // namespace hk::ops
