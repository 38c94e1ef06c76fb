#pragma once
// From a problem and a kernel's configuration to the launch: grid and kernarg bytes.

#include "base/status.h"
#include "device/driver.h"
#include "kernels/attention_forward_arguments.h"
#include "ops/attention/configuration.h"
#include "ops/attention/problem.h"

namespace hk::ops {

// Requires a problem that is not empty. Fails with unsupported if the grid has 2^32 work-items or more: the dispatch
// packet holds work-items, not workgroups, in 32 bits, and runtimes have been seen to truncate silently.
Result<device::LaunchShape> attention_launch_shape(const AttentionProblem& problem,
                                                   const AttentionConfiguration& configuration);

AttentionForwardArguments attention_arguments(const AttentionProblem& problem);

} // namespace hk::ops
