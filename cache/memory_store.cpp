#include "cache/memory_store.h"

#include <algorithm>

namespace hk::cache {
namespace {

std::uint64_t entry_bytes(const Key& key, const Metadata& metadata, base::ByteView payload) {
  std::uint64_t bytes = key.request_text.size() + key.toolchain_text.size() + payload.size();
  for (const auto& [name, value] : metadata)
    bytes += name.size() + value.size();
  return bytes;
}

} // namespace

std::optional<Entry> MemoryStore::lookup(const Key& key) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_by_name.find(key.name());
  if (found == m_by_name.end() || !(found->second->entry.key == key)) {
    count(&StoreCounters::absent);
    return std::nullopt;
  }
  m_items.splice(m_items.begin(), m_items, found->second);
  count(&StoreCounters::hits);
  return found->second->entry;
}

PublishOutcome MemoryStore::publish(const Key& key, const Metadata& metadata, base::ByteView payload) {
  const std::lock_guard lock(m_mutex);
  const std::uint64_t bytes = entry_bytes(key, metadata, payload);
  PublishOutcome outcome = PublishOutcome::published;
  if (m_by_name.contains(key.name())) {
    outcome = PublishOutcome::already_present;
  } else if (bytes > m_max_bytes) {
    outcome = PublishOutcome::not_stored;
  } else {
    while (m_bytes + bytes > m_max_bytes) {
      m_bytes -= m_items.back().bytes;
      m_by_name.erase(m_items.back().entry.key.name());
      m_items.pop_back();
    }
    m_items.push_front(Item{Entry{key, metadata, base::Bytes(payload.begin(), payload.end())}, bytes});
    m_by_name.emplace(key.name(), m_items.begin());
    m_bytes += bytes;
  }
  count(outcome);
  return outcome;
}

bool MemoryStore::contains(const Key& key) {
  const std::lock_guard lock(m_mutex);
  return m_by_name.contains(key.name());
}

void MemoryStore::reject(const Key& key, const Metadata&, base::ByteView payload, std::string_view) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_by_name.find(key.name());
  if (found == m_by_name.end() || !std::ranges::equal(found->second->entry.payload, payload))
    return;
  m_bytes -= found->second->bytes;
  m_items.erase(found->second);
  m_by_name.erase(found);
}

Turn MemoryStore::wait_for_turn(TurnOf, const base::Digest128&, std::chrono::steady_clock::time_point,
                                const std::function<bool()>&) {
  return {};
}

} // namespace hk::cache
