#pragma once
// AttentionTrial: runs attention kernels on data and buffers of its own. The self-check and the tuner use it: neither
// may touch the caller's memory or stream.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "device/driver.h"
#include "ops/attention/configuration.h"
#include "ops/attention/sampled_reference.h"
#include "ops/attention/trial_problem.h"
#include "service/served_kernel.h"

namespace hk::ops {

struct TrialOptions {
  TrialScale scale;
  // Sets of buffers are made until all of them together have this many bytes; 0 = one set. Beyond the caches of the
  // device, a kernel that goes from set to set finds nothing there.
  std::uint64_t rotated_bytes = 0;
  std::uint64_t seed = 1;
};

// Not for use from several threads at once.
class AttentionTrial {
 public:
  // driver outlives the trial. Fails with out_of_memory, or as the driver.
  static Result<std::unique_ptr<AttentionTrial>> create(device::Driver& driver, const AttentionProblem& of,
                                                        const TrialOptions& options);
  ~AttentionTrial();
  AttentionTrial(const AttentionTrial&) = delete;
  AttentionTrial& operator=(const AttentionTrial&) = delete;

  // Sizes and strides as tried.
  [[nodiscard]] const AttentionProblem& problem() const { return m_problem; }
  [[nodiscard]] std::size_t set_count() const { return m_sets.size(); }

  // Queues the kernel on the next set of buffers, in turn.
  Status launch(const service::ServedKernel& kernel, const AttentionConfiguration& configuration,
                device::Stream stream);

  // Fills the outputs with NaN, runs the kernel and looks at what it wrote: sampled rows against the reference, every
  // element of O and LSE written and finite, nothing written beside them. Fails with internal if that is wrong, with
  // launch_failed if the kernel could not run.
  Status verify(const service::ServedKernel& kernel, const AttentionConfiguration& configuration);

 private:
  AttentionTrial(device::Driver& driver, const AttentionProblem& problem, std::uint64_t seed);

  Status allocate(std::uint64_t rotated_bytes);
  Status upload();
  const SampledReference& reference();
  Status check_o(SampledOutput& output) const;
  Status check_lse(SampledOutput& output) const;
  Status launch_on(const AttentionProblem& set, const service::ServedKernel& kernel,
                   const AttentionConfiguration& configuration, device::Stream stream);

  device::Driver& m_driver;
  AttentionProblem m_problem; // without data
  std::vector<SampledRow> m_rows;
  std::unique_ptr<SampledReference> m_reference; // made when it is first needed
  // Host copies. Those of the outputs reach over the guards on both sides.
  std::vector<std::uint16_t> m_q, m_k, m_v, m_o;
  std::vector<std::uint32_t> m_lse;
  void* m_memory = nullptr; // one device allocation
  device::Stream m_stream = nullptr;
  std::vector<AttentionProblem> m_sets; // with device pointers
  std::size_t m_next = 0;
};

} // namespace hk::ops
