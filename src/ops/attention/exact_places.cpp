#include "ops/attention/exact_places.h"

namespace hk::ops {

ExactPlaces::Taken ExactPlaces::take(const AttentionSpec& spec) {
  const service::KernelIdentity identity = class_identity_of(spec);
  std::atomic<std::uint32_t>& taken = m_taken[family_index(spec)];
  const std::lock_guard lock(m_mutex);
  if (m_specs.contains(identity))
    return Taken::before;
  if (taken.load(std::memory_order_relaxed) >= m_limit)
    return Taken::none_left;
  m_specs.insert(identity);
  taken.fetch_add(1, std::memory_order_relaxed);
  return Taken::now;
}

void ExactPlaces::give_back(const AttentionSpec& spec) {
  const std::lock_guard lock(m_mutex);
  if (m_specs.erase(class_identity_of(spec)) != 0)
    m_taken[family_index(spec)].fetch_sub(1, std::memory_order_relaxed);
}

} // namespace hk::ops
