#include "cache/housekeeping.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/log.h"
#include "base/temporary_file.h"
#include "cache/folder_walk.h"
#include "cache/store.h"
#include "cache/turns.h"

namespace hk::cache {
namespace {

constexpr std::int64_t k_orphan_seconds = 3600;
constexpr std::int64_t k_rejected_seconds = std::int64_t{7} * 86400;
// How far ahead a stamp may be before it counts as wrong: clocks of machines that share a folder differ a little.
constexpr std::int64_t k_ahead_seconds = 3600;

bool expired(const StoredFile& file, std::int64_t now) {
  const std::int64_t age = now - file.modified_seconds;
  switch (file.kind) {
  case FileKind::temporary:
    return age > k_orphan_seconds;
  case FileKind::rejected:
    return age > k_rejected_seconds;
  case FileKind::failure:
    return age > k_failure_lifetime.count() || age < -k_ahead_seconds;
  case FileKind::entry:
  case FileKind::other:
    return false;
  }
  return false;
}

// Removes files of one open cache folder and keeps the report.
class Remover {
 public:
  Remover(int folder, HousekeepingReport& report) : m_folder(folder), m_report(report) {}

  bool remove(const StoredFile& file) {
    if (::unlinkat(m_folder, file.path.c_str(), 0) == 0)
      return true;
    if (errno != ENOENT && m_report.problem.empty())
      m_report.problem = base::file_error("remove", file.path).message;
    return false;
  }

  // False if it was used or replaced since it was looked at.
  [[nodiscard]] bool untouched(const StoredFile& file) const {
    struct stat information{};
    return ::fstatat(m_folder, file.path.c_str(), &information, AT_SYMLINK_NOFOLLOW) == 0 &&
           information.st_mtime == file.modified_seconds;
  }

  void stamp(const StoredFile& file) const {
    const timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
    ::utimensat(m_folder, file.path.c_str(), times, AT_SYMLINK_NOFOLLOW);
  }

 private:
  int m_folder;
  HousekeepingReport& m_report;
};

void evict(std::vector<StoredFile>& candidates, std::uint64_t goal, Remover& remover, HousekeepingReport& report) {
  std::sort(candidates.begin(), candidates.end(), [](const StoredFile& left, const StoredFile& right) {
    return left.modified_seconds != right.modified_seconds ? left.modified_seconds < right.modified_seconds
                                                           : left.path < right.path;
  });
  for (const StoredFile& file : candidates) {
    if (report.remaining_bytes <= goal)
      return;
    if (!remover.untouched(file) || !remover.remove(file))
      continue;
    report.remaining_bytes -= file.allocated_bytes;
    report.evicted_bytes += file.allocated_bytes;
    report.evicted_entries += file.kind == FileKind::entry ? 1 : 0;
  }
}

} // namespace

Result<HousekeepingReport> keep_house(const std::string& folder, std::int64_t now, std::uint64_t max_bytes,
                                      std::string_view spared) {
  HousekeepingReport report;
  HK_ASSIGN_OR_RETURN(std::vector<StoredFile> files, stored_files(folder));
  const auto opened = open_cache_folder(folder);
  if (!opened && opened.error().number == ENOENT)
    return report;
  if (!opened)
    return fail(opened.error().status(StatusCode::invalid_argument));
  Remover remover(opened->get(), report);
  std::vector<StoredFile> candidates;
  for (StoredFile& file : files) {
    if (expired(file, now) && remover.remove(file)) {
      ++report.swept_files;
      continue;
    }
    report.remaining_bytes += file.allocated_bytes;
    const bool evictable = file.kind == FileKind::entry || file.kind == FileKind::rejected;
    const bool ages = evictable || file.kind == FileKind::temporary;
    if (ages && file.modified_seconds > now + k_ahead_seconds)
      remover.stamp(file); // and not evicted this time: how long it was not used is not known
    else if (evictable && file.key_name != spared)
      candidates.push_back(std::move(file));
  }
  if (report.remaining_bytes > max_bytes)
    evict(candidates, max_bytes / 10 * 9, remover, report);
  return report;
}

Result<base::RangeLock> wait_for_housekeeping(const std::string& folder,
                                              std::chrono::steady_clock::time_point deadline) {
  const auto opened = make_format_folder(folder);
  if (!opened)
    return fail(opened.error());
  auto wait = base::wait_for_lock(opened->get(), k_lock_file, k_evictor_offset, deadline, [] { return false; });
  if (!wait)
    return fail(wait.error());
  return std::move(wait->lock);
}

Result<std::int64_t> file_system_time(const std::string& folder) {
  const auto opened = make_format_folder(folder);
  if (!opened)
    return fail(opened.error());
  auto file = base::TemporaryFile::create(opened->get(), folder, 0600);
  struct stat information{};
  if (!file)
    return fail(file.error());
  if (::fstat(file->descriptor(), &information) != 0)
    return fail(base::file_error("stat a file in", folder));
  return std::int64_t{information.st_mtime};
}

bool SizeKeeper::due() const {
  if (!m_looked)
    return true;
  if (m_max_bytes == k_no_size_limit)
    return false;
  const std::uint64_t added = m_added_bytes.load(std::memory_order_relaxed);
  return added > m_max_bytes / 64 || m_known_bytes + added > m_max_bytes;
}

std::uint64_t SizeKeeper::look(std::string_view spared, std::int64_t now) {
  base::RangeLock lock;
  if (!m_network) {
    auto waited = wait_for_housekeeping(m_folder, std::chrono::steady_clock::now());
    // Another process is at it; this one looks again after its next publish. Without locks it goes on.
    if (waited && !waited->held())
      return 0;
    if (waited)
      lock = std::move(*waited);
  }
  // What other threads add while this one looks is counted twice rather than not at all.
  m_added_bytes.store(0, std::memory_order_relaxed);
  const auto report = keep_house(m_folder, now, m_max_bytes, spared);
  if (!report) {
    base::log_message(base::LogLevel::debug, "no housekeeping in " + m_folder + ": " + report.error().message);
    return 0;
  }
  if (!report->problem.empty())
    base::log_message(base::LogLevel::debug, "housekeeping in " + m_folder + ": " + report->problem);
  m_looked = true;
  m_known_bytes = report->remaining_bytes;
  return report->evicted_entries;
}

std::uint64_t SizeKeeper::after_publish(std::string_view key_name, std::uint64_t allocated_bytes, std::int64_t now) {
  m_added_bytes.fetch_add(allocated_bytes, std::memory_order_relaxed);
  // Another thread that looks already does it for this one too.
  const std::unique_lock guard(m_mutex, std::try_to_lock);
  return guard.owns_lock() && due() ? look(key_name, now) : 0;
}

} // namespace hk::cache
