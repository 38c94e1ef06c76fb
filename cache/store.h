#pragma once
// Store: where entries are kept. The disk store and the memory store implement it, and so will read-only layers and
// remote tiers; the service asks one after the other.
//
// A store never fails its caller: what cannot be read is a miss, what cannot be written is not stored. Counters and one
// warning say why. All functions may be called from any thread.

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/range_lock.h"
#include "cache/entry.h"

namespace hk::cache {

enum class PublishOutcome {
  published,
  already_present, // another writer was first; the caller goes on with its own bytes
  not_stored,      // unwritable, full, too large
};

// What processes take turns at, each matter with turns of its own.
enum class TurnOf { build, tuning };

struct Turn {
  enum class Kind {
    ours,      // nobody else of this machine is at it while the lock is held
    settled,   // meanwhile somebody has done it: look again
    unlocked,  // there are no turns here (network, memory, an unwritable folder): others may be at it too
    timed_out, // somebody is at it for too long: go on without
  };
  Kind kind = Kind::unlocked;
  base::RangeLock lock; // if ours; the turn ends with it
  bool waited = false;  // another process was found at it
};

struct StoreCounters {
  std::uint64_t hits = 0;
  std::uint64_t absent = 0;     // misses: nothing of that name
  std::uint64_t unreadable = 0; // misses: EIO, ESTALE, EACCES, a short read, no descriptor left
  std::uint64_t damaged = 0;    // misses: checksum, truncation, another key, not a plain file of ours
  std::uint64_t published = 0;
  std::uint64_t already_present = 0;
  std::uint64_t not_stored = 0;
  std::uint64_t evicted = 0; // entries removed to keep the size

  [[nodiscard]] std::uint64_t misses() const { return absent + unreadable + damaged; }
};

inline constexpr std::chrono::seconds k_failure_lifetime{60};

class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  virtual std::optional<Entry> lookup(const Key& key) = 0;
  virtual PublishOutcome publish(const Key& key, const Metadata& metadata, base::ByteView payload) = 0;
  // Whether lookup would probably find something: looks at names only and counts nothing. For wait_for_turn's
  // settled().
  virtual bool contains(const Key& key) = 0;

  // Takes a stored entry that proved useless away (its code object does not load, computes wrongly), so that publish
  // can put another there; an entry of that key with another payload stays. The bytes are kept beside for people, one
  // per key, with the reason; they are never served. Nothing need have been stored.
  virtual void reject(const Key& key, const Metadata& metadata, base::ByteView payload, std::string_view reason) = 0;

  // Remembers for k_failure_lifetime that this key cannot be made, across processes where entries are. Which failures
  // are worth it is the caller's decision.
  virtual void keep_failure(const Key& key, const Status& failure) = 0;
  virtual std::optional<Status> kept_failure(const Key& key) = 0;

  // Waits until nobody else of this machine is at the same matter (`of` names it), until settled() says true, or until
  // the deadline. settled() is asked between looks and must be cheap.
  virtual Turn wait_for_turn(TurnOf what, const base::Digest128& of, std::chrono::steady_clock::time_point deadline,
                             const std::function<bool()>& settled) = 0;

  // Where entries are, for people: a folder, or "memory".
  [[nodiscard]] virtual std::string location() const = 0;
  // What the service reports as the source of a hit: "disk" or "memory".
  [[nodiscard]] virtual const char* kind() const = 0;

  [[nodiscard]] StoreCounters counters() const;

 protected:
  void count(std::uint64_t StoreCounters::* counter);
  void count(PublishOutcome outcome);
  void count_evicted(std::uint64_t entries);

 private:
  mutable std::mutex m_mutex;
  StoreCounters m_counters;
};

} // namespace hk::cache
