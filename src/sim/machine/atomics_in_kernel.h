#pragma once
// Whether the result of a kernel depends on the order in which its workgroups reach memory through atomics.

#include <cstdint>

#include "sim/machine/program.h"

namespace hk::sim {

// True if the code from `entry` on holds a global atomic that returns the old value, rounds, wraps or exchanges. Looks
// up to the next s_endpgm that no branch of the code seen so far leads past, or at everything if there are calls.
bool has_order_dependent_atomics(const Program& program, std::uint32_t entry);

} // namespace hk::sim
