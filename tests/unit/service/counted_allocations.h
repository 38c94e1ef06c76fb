#pragma once
// Allocations of this thread through operator new and malloc's C++ users, counted.

#include <cstdint>

namespace hk::test {

// Since the thread began.
std::uint64_t allocations_of_this_thread() noexcept;

} // namespace hk::test
