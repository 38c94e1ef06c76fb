#include "cache/store.h"

namespace hk::cache {

StoreCounters Store::counters() const {
  const std::lock_guard lock(m_mutex);
  return m_counters;
}

void Store::count(std::uint64_t StoreCounters::* counter) {
  const std::lock_guard lock(m_mutex);
  ++(m_counters.*counter);
}

void Store::count(PublishOutcome outcome) {
  switch (outcome) {
  case PublishOutcome::published:
    return count(&StoreCounters::published);
  case PublishOutcome::already_present:
    return count(&StoreCounters::already_present);
  case PublishOutcome::not_stored:
    return count(&StoreCounters::not_stored);
  }
}

void Store::count_evicted(std::uint64_t entries) {
  const std::lock_guard lock(m_mutex);
  m_counters.evicted += entries;
}

} // namespace hk::cache
