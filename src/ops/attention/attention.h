#pragma once
// Attention: the operation of one context. Chooses the spec, gets the kernel, launches.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/config.h"
#include "base/status.h"
#include "device/driver.h"
#include "ops/attention/problem.h"
#include "ops/attention/spec.h"
#include "service/kernel_service.h"

namespace hk::ops {

struct AttentionPolicy {
  base::Specialize specialize = base::Specialize::automatic;
  std::uint32_t exact_max = 16; // exact kernels per family
  base::TuneMode tune = base::TuneMode::off;
  std::chrono::milliseconds tune_budget{5000}; // of measuring one problem
  base::SelfCheck self_check = base::SelfCheck::off;
  bool repeatable_times = false; // the device's times do not vary: a simulated one without HK_SIM_NOISE
};

// All functions may be called from any thread.
class Attention {
 public:
  // Both outlive the operation.
  Attention(device::Driver& driver, service::KernelService& service, const AttentionPolicy& policy)
      : m_driver(driver), m_service(service), m_policy(policy) {}

  // Queues the launch; a warm call allocates nothing. problem: of AttentionUse::launch.
  // Fails with invalid_argument (a pointer that is not of this device), unsupported, not_prepared (stream in capture
  // and kernel not loaded), launch_failed, and as KernelService::obtain.
  Status run(const AttentionProblem& problem, device::Stream stream);
  // Loads the kernel that run() would use.
  Status prepare(const AttentionProblem& problem);
  // Whether run() has a kernel for the problem.
  Status supported(const AttentionProblem& problem) const;
  // JSON text of hk_attention_describe.
  Result<std::string> describe(const AttentionProblem& problem) const;

 private:
  struct Choice {
    AttentionSpec spec;
    const char* reason = "";
    bool counts = false; // loading it takes one of the family's places for exact kernels
  };

  [[nodiscard]] Choice choose(const AttentionProblem& problem) const;
  [[nodiscard]] service::KernelRecipe recipe_of(const AttentionProblem& problem, const AttentionSpec& spec) const;
  Status check_places(const AttentionProblem& problem) const;
  Result<const service::ServedKernel*> load(const AttentionProblem& problem, AttentionSpec& spec);

  device::Driver& m_driver;
  service::KernelService& m_service;
  AttentionPolicy m_policy;
  std::array<std::atomic<std::uint32_t>, k_attention_families> m_exact_kernels{}; // places taken
};

} // namespace hk::ops
