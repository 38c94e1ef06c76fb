#include "compile/address_space_limit.h"

#include <algorithm>

#include <sys/resource.h>

namespace hk::compile {

void limit_address_space(std::uint64_t bytes) noexcept {
  struct rlimit limit{};
  if (!k_limits_address_space || ::getrlimit(RLIMIT_AS, &limit) != 0)
    return;
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  ::setrlimit(RLIMIT_AS, &limit);
}

} // namespace hk::compile
