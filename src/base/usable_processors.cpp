#include "base/usable_processors.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include <sched.h>

namespace hk::base {
namespace {

constexpr std::size_t k_most_processors = 1U << 16;

} // namespace

unsigned usable_processors() noexcept {
  // The kernel refuses (EINVAL) a mask that is smaller than its own, which may know more than cpu_set_t's 1024.
  for (std::size_t size = CPU_SETSIZE; size <= k_most_processors; size *= 2) {
    cpu_set_t* const set = CPU_ALLOC(size);
    if (set == nullptr)
      return 1;
    const bool known = ::sched_getaffinity(0, CPU_ALLOC_SIZE(size), set) == 0;
    const bool too_small = !known && errno == EINVAL;
    const int count = known ? CPU_COUNT_S(CPU_ALLOC_SIZE(size), set) : 1;
    CPU_FREE(set);
    if (!too_small)
      return static_cast<unsigned>(std::max(count, 1));
  }
  return 1;
}

} // namespace hk::base
