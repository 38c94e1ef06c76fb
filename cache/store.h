#pragma once
// Store: where entries are kept. The disk store and the memory store implement it, and so will read-only layers and
// remote tiers; the service asks one after the other.
//
// A store never fails its caller: what cannot be read is a miss, what cannot be written is not stored. Counters and one
// warning say why. All functions may be called from any thread.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "cache/entry.h"

namespace hk::cache {

enum class PublishOutcome {
  published,
  already_present, // another writer was first; the caller goes on with its own bytes
  not_stored,      // unwritable, full, too large
};

struct StoreCounters {
  std::uint64_t hits = 0;
  std::uint64_t absent = 0;     // misses: nothing of that name
  std::uint64_t unreadable = 0; // misses: EIO, ESTALE, EACCES, a short read, no descriptor left
  std::uint64_t damaged = 0;    // misses: checksum, truncation, another key, not a plain file of ours
  std::uint64_t published = 0;
  std::uint64_t already_present = 0;
  std::uint64_t not_stored = 0;

  [[nodiscard]] std::uint64_t misses() const { return absent + unreadable + damaged; }
};

class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  virtual std::optional<Entry> lookup(const Key& key) = 0;
  virtual PublishOutcome publish(const Key& key, const Metadata& metadata, base::ByteView payload) = 0;
  // Forgets a sound entry that proved useless (its code object does not load), so that publish can put another there.
  virtual void discard(const Key& key) = 0;
  // Where entries are, for people: a folder, or "memory".
  [[nodiscard]] virtual std::string location() const = 0;
  // What the service reports as the source of a hit: "disk" or "memory".
  [[nodiscard]] virtual const char* kind() const = 0;

  [[nodiscard]] StoreCounters counters() const;

 protected:
  void count(std::uint64_t StoreCounters::* counter);
  void count(PublishOutcome outcome);

 private:
  mutable std::mutex m_mutex;
  StoreCounters m_counters;
};

} // namespace hk::cache
