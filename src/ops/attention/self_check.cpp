#include "ops/attention/self_check.h"

#include <algorithm>
#include <memory>

#include "base/log.h"
#include "ops/attention/launch.h"
#include "ops/attention/trial.h"

namespace hk::ops {
namespace {

using service::SelfCheckOutcome;

constexpr std::uint64_t k_seed = 20;

// Share of the device's memory that HK_SELFCHECK=always may take.
constexpr std::uint64_t k_always_share = 4;

double device_milliseconds(const device::DeviceInfo& device, const AttentionProblem& trial) {
  double pairs = 0;                                        // of query and key
  for (std::int64_t row = 0; row < trial.seq_q; row += 64) // close enough, and quick for long sequences
    pairs += static_cast<double>(trial.visible_keys(row)) *
             static_cast<double>(std::min<std::int64_t>(64, trial.seq_q - row));
  const double operations =
      pairs * 4 * static_cast<double>(trial.head_dim) * static_cast<double>(trial.batch * trial.heads_q);
  // Two host processors simulate 5e9 operations a second when nothing else runs on them.
  if (device.simulated)
    return 1 + operations / 2e6;
  // A tenth of what one compute unit of MI300X can do (1307e12 / 304), on as many as there are workgroups.
  const std::int64_t tiles = (trial.seq_q + 127) / 128;
  const auto workgroups = static_cast<double>(tiles * trial.batch * trial.heads_q);
  const double units = std::min<double>(std::max(device.compute_units, 1), workgroups);
  return 1 + operations / (units * 4.3e8);
}

// Nanoseconds per element and per row and key, as one core of an EPYC virtual machine takes.
double host_milliseconds(const AttentionProblem& trial) {
  const auto queries = static_cast<double>(query_elements(trial));
  const auto keys = static_cast<double>(key_elements(trial));
  const auto rows = static_cast<double>(std::min<std::int64_t>(64, trial.heads_q * trial.seq_q));
  const double inputs = (queries + 2 * keys) * 2;
  const double outputs = queries * 3;
  const double conversions = 2 * keys * 4;
  const double computed = rows * static_cast<double>(trial.visible_keys(trial.seq_q - 1)) *
                          (0.8 * static_cast<double>(trial.head_dim) + 20);
  return (inputs + outputs + conversions + computed) * 1e-6;
}

} // namespace

double self_check_milliseconds(const device::DeviceInfo& device, const AttentionProblem& trial) {
  return device_milliseconds(device, trial) + host_milliseconds(trial);
}

service::SelfCheck attention_self_check(device::Driver& driver, const AttentionProblem& problem,
                                        const AttentionConfiguration& configuration, base::SelfCheck mode) {
  if (mode == base::SelfCheck::off)
    return {};
  return [&driver, problem, configuration, mode](const service::ServedKernel& kernel) -> Result<SelfCheckOutcome> {
    const device::DeviceInfo& device = driver.info();
    if (!device.computes)
      return SelfCheckOutcome::skipped;
    const bool always = mode == base::SelfCheck::always;
    const std::uint64_t memory = always ? device.memory / k_always_share : k_self_check_bytes;
    const TrialScale scale{.one_group = true, .memory_bytes = memory};
    const Result<AttentionProblem> trial_sizes = trial_problem(problem, scale);
    if (!trial_sizes || (!always && self_check_milliseconds(device, *trial_sizes) > k_self_check_milliseconds))
      return SelfCheckOutcome::skipped;
    const Result<std::unique_ptr<AttentionTrial>> trial = AttentionTrial::create(driver, problem, {scale, 0, k_seed});
    const Status status = trial ? (*trial)->verify(kernel, configuration) : trial.error();
    if (status.ok())
      return SelfCheckOutcome::passed;
    if (status.code == StatusCode::internal)
      return fail(status);
    // Not the kernel's fault as far as anyone can tell: the call that wanted it will say what the device says.
    base::log_message(base::LogLevel::warning,
                      kernel.symbol + " was not checked: the trial could not run (" + status.message + ")");
    return SelfCheckOutcome::skipped;
  };
}

} // namespace hk::ops
