#pragma once
// The self-check of a freshly compiled attention kernel: does it compute on this device what it should?

#include <cstdint>

#include "base/config.h"
#include "device/driver.h"
#include "ops/attention/configuration.h"
#include "ops/attention/problem.h"
#include "service/kernel_recipe.h"

namespace hk::ops {

// What HK_SELFCHECK=auto may take.
inline constexpr double k_self_check_milliseconds = 20;
inline constexpr std::uint64_t k_self_check_bytes = std::uint64_t{256} << 20;

// Wall time of one trial of the problem with its reference, in milliseconds: on the high side for the device, whose
// share of a GPU is small and whose share of a simulated one is nearly everything.
double self_check_milliseconds(const device::DeviceInfo& device, const AttentionProblem& trial);

// Runs the kernel on the problem's lengths with batch 1 and one head group. Skipped where it would take more than
// allowed, where the device computes nothing, or where no trial can be made for want of memory. Empty for
// base::SelfCheck::off. driver outlives it.
service::SelfCheck attention_self_check(device::Driver& driver, const AttentionProblem& problem,
                                        const AttentionConfiguration& configuration, base::SelfCheck mode);

} // namespace hk::ops
