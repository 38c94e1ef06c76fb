#pragma once
// Housekeeping: removes from a cache folder what nobody needs any more, and keeps its size.
//
// Swept: temporary files older than an hour (a killed writer's), rejected entries older than a week, failures that no
// longer count. Evicted, if the files take up more than the limit: entries and rejected entries, those not used for
// longest first, down to nine tenths of the limit, so that not every publish evicts. The time of an entry's last use is
// the modification time of its file; the store sets it.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>

#include "base/range_lock.h"
#include "base/status.h"

namespace hk::cache {

inline constexpr std::uint64_t k_no_size_limit = std::numeric_limits<std::uint64_t>::max();

struct HousekeepingReport {
  std::uint64_t evicted_entries = 0; // rejected ones are not counted
  std::uint64_t evicted_bytes = 0;   // allocated; of rejected ones too
  std::uint64_t swept_files = 0;
  std::uint64_t remaining_bytes = 0; // allocated; of all files that stay
  std::string problem;               // of the first file that could not be removed
};

// now: seconds since 1970 by the file system's clock. Stamps more than an hour ahead of it come from a clock that was
// wrong and are set to now, so that nothing stays for ever. spared: Key::name() of an entry that is not evicted.
// Processes that use the folder meanwhile see misses, nothing worse. INVALID_ARGUMENT as walk_folder.
Result<HousekeepingReport> keep_house(const std::string& folder, std::int64_t now, std::uint64_t max_bytes,
                                      std::string_view spared = {});

// The right to keep house, so that one process at a time does: empty if another has it. Waits until the deadline.
Result<base::RangeLock> wait_for_housekeeping(const std::string& folder,
                                              std::chrono::steady_clock::time_point deadline);

// The time by the file system's own clock, which is the server's on a network; fails where the folder cannot be
// written.
Result<std::int64_t> file_system_time(const std::string& folder);

// What a store does after each publish. Any thread.
//
// The folder is looked through at the first publish and then only when this process has written so much that it may
// matter (1/64 of the limit), or when the size known from the last look and its own writing exceeds the limit. So a
// folder may exceed its limit by 1/64 for each process that writes to it at the same time.
class SizeKeeper {
 public:
  SizeKeeper(std::string folder, std::uint64_t max_bytes, bool network)
      : m_folder(std::move(folder)), m_max_bytes(max_bytes), m_network(network) {}

  // After an entry of this name and size was published at `now` (the file system's clock). Returns the number of
  // entries evicted; never that one.
  std::uint64_t after_publish(std::string_view key_name, std::uint64_t allocated_bytes, std::int64_t now);

 private:
  [[nodiscard]] bool due() const;
  std::uint64_t look(std::string_view spared, std::int64_t now);

  const std::string m_folder;
  const std::uint64_t m_max_bytes;
  const bool m_network;
  std::atomic<std::uint64_t> m_added_bytes{0}; // by this process since the last look
  std::mutex m_mutex;                          // of looking
  bool m_looked = false;
  std::uint64_t m_known_bytes = 0; // at the last look
};

} // namespace hk::cache
