#pragma once
// MemoryStore: entries of this process only, for when no folder can be used.

#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include "cache/kept_failures.h"
#include "cache/store.h"

namespace hk::cache {

// Bounded by the bytes of keys, metadata and payloads; the least recently used entries go first.
class MemoryStore : public Store {
 public:
  static constexpr std::uint64_t k_default_max_bytes = std::uint64_t{256} << 20;

  explicit MemoryStore(std::uint64_t max_bytes = k_default_max_bytes) : m_max_bytes(max_bytes) {}

  std::optional<Entry> lookup(const Key& key) override;
  PublishOutcome publish(const Key& key, const Metadata& metadata, base::ByteView payload) override;
  bool contains(const Key& key) override;
  // The bytes are not kept: nobody could look at them.
  void reject(const Key& key, const Metadata& metadata, base::ByteView payload, std::string_view reason) override;
  void keep_failure(const Key& key, const Status& failure) override { m_failures.keep(key, failure); }
  std::optional<Status> kept_failure(const Key& key) override { return m_failures.find(key); }
  // Unlocked at once: the threads of one process meet in the service.
  Turn wait_for_turn(TurnOf what, const base::Digest128& of, std::chrono::steady_clock::time_point deadline,
                     const std::function<bool()>& settled) override;
  [[nodiscard]] std::string location() const override { return "memory"; }
  [[nodiscard]] const char* kind() const override { return "memory"; }

 private:
  struct Item {
    Entry entry;
    std::uint64_t bytes = 0;
  };

  KeptFailures m_failures;
  std::mutex m_mutex;
  std::uint64_t m_max_bytes;
  std::uint64_t m_bytes = 0;
  std::list<Item> m_items; // most recently used first
  std::unordered_map<std::string, std::list<Item>::iterator> m_by_name;
};

} // namespace hk::cache
