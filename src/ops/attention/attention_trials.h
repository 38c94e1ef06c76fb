#pragma once
// AttentionTrials: the configurations of one problem as the tuner sees them.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/config.h"
#include "device/driver.h"
#include "ops/attention/spec.h"
#include "ops/attention/trial.h"
#include "service/kernel_service.h"
#include "service/kernel_timer.h"
#include "tune/tuner.h"

namespace hk::ops {

class AttentionTrials final : public tune::Trials {
 public:
  // driver and service outlive the trials; problem and spec are copied. Fails with out_of_memory if not even one head
  // group fits into the share of the device's memory that is ours, or as the driver.
  static Result<std::unique_ptr<AttentionTrials>> create(device::Driver& driver, service::KernelService& service,
                                                         const AttentionProblem& problem, const AttentionSpec& spec,
                                                         base::SelfCheck self_check);

  std::size_t count() override { return m_candidates.size(); }
  std::string name(std::size_t candidate) override;
  Result<tune::Facts> prepare(std::size_t candidate) override;
  Status verify(std::size_t candidate) override;
  Result<double> measure(std::size_t candidate) override;

  // Sizes as tried.
  [[nodiscard]] const AttentionProblem& tried() const { return m_trial->problem(); }

 private:
  AttentionTrials(device::Driver& driver, service::KernelService& service, const AttentionProblem& problem,
                  const AttentionSpec& spec, base::SelfCheck self_check);

  struct Candidate {
    AttentionSpec spec;
    const service::ServedKernel* kernel = nullptr; // once prepared
  };

  device::Driver& m_driver;
  service::KernelService& m_service;
  AttentionProblem m_problem;
  base::SelfCheck m_self_check;
  std::vector<Candidate> m_candidates;
  std::unique_ptr<AttentionTrial> m_trial;
  std::unique_ptr<service::KernelTimer> m_timer;
  std::uint32_t m_launches = 0; // a sample has; 0 = not known yet
};

} // namespace hk::ops
