#include "ops/attention/exact_places.h"

namespace hk::ops {

service::KernelIdentity ExactPlaces::identity_without_configuration(const AttentionSpec& spec) {
  AttentionSpec without = spec;
  without.configuration = {};
  return identity_of(without);
}

ExactPlaces::Taken ExactPlaces::take(const AttentionSpec& spec) {
  const service::KernelIdentity identity = identity_without_configuration(spec);
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
  if (m_specs.erase(identity_without_configuration(spec)) != 0)
    m_taken[family_index(spec)].fetch_sub(1, std::memory_order_relaxed);
}

} // namespace hk::ops
