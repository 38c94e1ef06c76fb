#include "ops/attention/attention_trials.h"

#include <algorithm>
#include <cmath>

#include "ops/attention/search_space.h"
#include "ops/attention/tuner.h"

namespace hk::ops {
namespace {

// Twice what lies between memory and a compute unit of MI300-class parts: 8 L2 caches of 4 MiB, 256 MiB Infinity Cache.
constexpr std::uint64_t k_rotated_bytes = 2 * (std::uint64_t{8 * 4 + 256} << 20);
// Of the tensors of one set.
constexpr std::uint64_t k_largest_set = std::uint64_t{1} << 30;
// The caller's job needs the rest of the device's memory.
constexpr std::uint64_t k_memory_share = 8;
// Events of a GPU tell about a microsecond; so many launches are put between two of them that it does not matter.
constexpr double k_sample_microseconds = 200;
constexpr double k_most_launches = 64;
constexpr std::uint64_t k_seed = 21;

} // namespace

AttentionTrials::AttentionTrials(device::Driver& driver, service::KernelService& service,
                                 const AttentionProblem& problem, const AttentionSpec& spec, base::SelfCheck self_check)
    : m_driver(driver), m_service(service), m_problem(problem), m_self_check(self_check) {
  for (const AttentionConfiguration& configuration : attention_search_space(problem)) {
    m_candidates.push_back({spec, nullptr});
    m_candidates.back().spec.configuration = configuration;
  }
}

Result<std::unique_ptr<AttentionTrials>>
AttentionTrials::create(device::Driver& driver, service::KernelService& service, const AttentionProblem& problem,
                        const AttentionSpec& spec, base::SelfCheck self_check) {
  std::unique_ptr<AttentionTrials> trials(new AttentionTrials(driver, service, problem, spec, self_check));
  const device::DeviceInfo& device = driver.info();
  TrialOptions options;
  options.scale.memory_bytes = std::min(k_largest_set, device.memory / k_memory_share);
  options.seed = k_seed;
  // A simulated device has no caches that a kernel could find full.
  options.rotated_bytes = device.simulated ? 0 : std::min(k_rotated_bytes, device.memory / k_memory_share);
  HK_ASSIGN_OR_RETURN(trials->m_trial, AttentionTrial::create(driver, problem, options));
  HK_ASSIGN_OR_RETURN(trials->m_timer, service::KernelTimer::create(driver));
  if (device.simulated)
    trials->m_launches = 1;
  return trials;
}

std::string AttentionTrials::name(std::size_t candidate) {
  return configuration_name(m_candidates[candidate].spec.configuration);
}

Result<tune::Facts> AttentionTrials::prepare(std::size_t candidate) {
  Candidate& prepared = m_candidates[candidate];
  HK_ASSIGN_OR_RETURN(
      const service::KernelService::Obtained obtained,
      m_service.obtain(identity_of(prepared.spec), attention_recipe(m_driver, m_problem, prepared.spec, m_self_check)));
  prepared.kernel = obtained.kernel;
  const codeobj::Processor& processor = *m_problem.processor;
  return tune::facts_of(prepared.kernel->resources,
                        processor.wave_size * static_cast<std::uint32_t>(prepared.spec.configuration.waves),
                        m_driver.info().lds_bytes, processor.platform);
}

Status AttentionTrials::verify(std::size_t candidate) {
  const Candidate& prepared = m_candidates[candidate];
  Status status = m_trial->verify(*prepared.kernel, prepared.spec.configuration);
  if (status.code ==
      StatusCode::internal) // it ran, and its output is wrong: to a caller that is no better than no kernel
    status = {StatusCode::compile_failed, prepared.kernel->symbol + " computes wrong values on " +
                                              m_driver.info().device + " (" + status.message +
                                              "): report it with the output of `hk info`"};
  return status;
}

Result<double> AttentionTrials::measure(std::size_t candidate) {
  const Candidate& prepared = m_candidates[candidate];
  const auto sample = [&](std::uint32_t launches) {
    return m_timer->measure([&](device::Stream stream) -> Status {
      for (std::uint32_t i = 0; i < launches; ++i)
        HK_RETURN_IF_ERROR(m_trial->launch(*prepared.kernel, prepared.spec.configuration, stream));
      return {};
    });
  };
  if (m_launches == 0) { // the same number for all, or they could not be compared
    HK_ASSIGN_OR_RETURN(const double once, sample(1));
    m_launches = static_cast<std::uint32_t>(
        std::clamp(std::ceil(k_sample_microseconds / std::max(once, 0.1)), 1.0, k_most_launches));
  }
  HK_ASSIGN_OR_RETURN(const double all, sample(m_launches));
  return all / m_launches;
}

} // namespace hk::ops
