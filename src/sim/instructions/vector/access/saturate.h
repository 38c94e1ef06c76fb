#pragma once
// Integer results under `clamp`.

#include <algorithm>
#include <cstdint>
#include <limits>

namespace hk::sim::vector {

template <typename T>
T saturate(std::int64_t value) {
  return T(std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

} // namespace hk::sim::vector
