#pragma once
// How many processors this process may run on: how many threads or worker processes make sense.

namespace hk::base {

// Those of the calling thread's affinity mask; at least 1. Asks the system each time.
unsigned usable_processors() noexcept;

} // namespace hk::base
