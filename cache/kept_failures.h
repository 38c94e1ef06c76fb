#pragma once
// Kept failures: for one minute, what could not be made is not tried again. A process remembers its own (KeptFailures);
// in a cache folder they are files that other processes see, entries by their bytes, of another name (code and
// message in the metadata, the detail as payload).

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/bytes.h"
#include "base/status.h"
#include "cache/entry.h"
#include "cache/key.h"

namespace hk::cache {

// Of this process only. Bounded: the oldest is forgotten first. Any thread.
class KeptFailures {
 public:
  using Clock = std::chrono::steady_clock;

  void keep(const Key& key, const Status& failure, Clock::time_point now = Clock::now());
  std::optional<Status> find(const Key& key, Clock::time_point now = Clock::now());

 private:
  struct Item {
    Status failure;
    Clock::time_point kept;
  };
  std::mutex m_mutex;
  std::unordered_map<std::string, Item> m_items; // by Key::name()
};

// The bytes of a failure's file. now: seconds since 1970.
base::Bytes encode_failure(const Key& key, const Status& failure, std::int64_t now);

// The failure that a decoded file holds, if it is one and was kept less than k_failure_lifetime before now. One from
// the future (the clock was set back) counts as too old, else it would never end.
std::optional<Status> failure_of(const Entry& entry, std::int64_t now);

} // namespace hk::cache
