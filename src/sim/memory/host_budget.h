#pragma once
// Simulated memory is demand-zero: a device may hand out 288 GiB on a host that has 16. What counts is what is written.

#include <cstdint>

#include "base/status.h"

namespace hk::sim {

// Physical memory that this process may use: the machine's, or the limit of its control group. Bytes.
std::uint64_t total_host_memory();
// Bytes of it that are free now, or can be made free.
std::uint64_t available_host_memory();

// Fails with out_of_memory if writing `bytes` that no page backs yet could exhaust the host. Asked before large copies
// and fills and before pinning; what a kernel writes cannot be foreseen. Less than 16 MiB is never refused.
Status check_host_can_hold(std::uint64_t bytes);

} // namespace hk::sim
