#pragma once
// A GPU runtime does not survive fork(): its threads and its connection to the driver stay behind in the parent. What
// was created before the fork is therefore refused in the child.

#include <cstdint>

namespace hk::api {

// Grows by one in every forked child, from the first call on. The first call installs the handler that counts.
std::uint32_t fork_generation() noexcept;

} // namespace hk::api
