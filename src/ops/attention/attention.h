#pragma once
// Attention: the operation of one context. Chooses the spec and its configuration, gets the kernel, launches.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/config.h"
#include "base/status.h"
#include "device/driver.h"
#include "ops/attention/decision_table.h"
#include "ops/attention/exact_places.h"
#include "ops/attention/problem.h"
#include "ops/attention/spec.h"
#include "ops/attention/tuner.h"
#include "ops/tuning_records.h"
#include "service/kernel_service.h"

namespace hk::ops {

struct AttentionPolicy {
  base::Specialize specialize = base::Specialize::automatic;
  std::uint32_t exact_max = 16;              // exact kernels per family
  base::TuneMode tune = base::TuneMode::off; // not automatic: whoever opened the device has decided
  std::chrono::milliseconds tune_budget{5000};
  base::SelfCheck self_check = base::SelfCheck::automatic;
  bool repeatable_times = false; // equal runs show equal times: a simulated device without noise
};

// All functions may be called from any thread.
class Attention {
 public:
  // Both outlive the operation. Reads the tuning records of the service's cache folder.
  Attention(device::Driver& driver, service::KernelService& service, const AttentionPolicy& policy);

  // That of the device; problems given to the functions below name it.
  [[nodiscard]] const codeobj::Processor& processor() const noexcept { return m_service.processor(); }

  // Queues the launch; a warm call allocates nothing. problem: of AttentionUse::launch. A stream in capture is served
  // by the kernel of choice if it is loaded, else by any loaded kernel that computes the same.
  // Fails with invalid_argument (a pointer that is not of this device), unsupported, not_prepared (stream in capture
  // and no such kernel loaded), launch_failed, and as KernelService::obtain.
  Status run(const AttentionProblem& problem, device::Stream stream);
  // Decides (which may mean: measures) and loads the kernel that run() would use.
  Status prepare(const AttentionProblem& problem);
  // Whether run() has a kernel for the problem.
  Status supported(const AttentionProblem& problem) const;
  // JSON text of hk_attention_describe.
  Result<std::string> describe(const AttentionProblem& problem) const;

  // The recipe of the kernel that run() would use: for questions about its cache entry.
  [[nodiscard]] Result<service::KernelRecipe> recipe(const AttentionProblem& problem) const;

  [[nodiscard]] const TuningRecords& records() const { return m_records; }
  // Both let every problem be decided anew; kernels that are loaded stay loaded. Fail as TuningRecords.
  Status refresh_records();
  Status import_records(std::string_view text, ImportHow how, bool store);

 private:
  struct Choice {
    AttentionSpec spec; // with the configuration that is decided, or that would be without measuring
    const char* reason = "";
    DecisionSource source = DecisionSource::default_rule;
    bool decided = false;
    bool counts = false; // it needs one of the family's places for exact kernels
  };
  // A kernel and the spec it was made for.
  struct Loaded {
    const service::ServedKernel* kernel = nullptr;
    AttentionSpec spec;
  };

  // No lock, no allocation. Undecided choices have no configuration.
  [[nodiscard]] Choice choose(const AttentionProblem& problem) const;
  // Undecided ones get what is known.
  [[nodiscard]] Choice preview(const AttentionProblem& problem) const;
  [[nodiscard]] Choice with_decision(AttentionSpec spec, const char* reason, const AttentionProblem& problem) const;
  static Choice with_decision(AttentionSpec spec, const char* reason, const DecisionTable::Found& found);
  Status check_places(const AttentionProblem& problem) const;
  [[nodiscard]] service::KernelRecipe recipe_of(const AttentionProblem& problem, const AttentionSpec& spec) const;
  Result<Loaded> load(const AttentionProblem& problem);
  Result<Loaded> load_decided(const AttentionProblem& problem, Choice choice);
  [[nodiscard]] Loaded any_loaded(const AttentionProblem& problem) const;

  device::Driver& m_driver;
  service::KernelService& m_service;
  AttentionPolicy m_policy;
  TuningRecords m_records;
  DecisionTable m_decisions;
  AttentionTuner m_tuner;
  ExactPlaces m_places;
};

} // namespace hk::ops
