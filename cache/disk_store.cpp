#include "cache/disk_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "base/log.h"
#include "cache/folder_walk.h"
#include "cache/layout.h"
#include "cache/turns.h"

namespace hk::cache {
namespace {

constexpr mode_t k_entry_mode = 0600;
constexpr std::int64_t k_stamp_seconds = 3600;

bool fits(const Key& key, const Metadata& metadata, base::ByteView payload, std::uint64_t max_bytes) {
  std::uint64_t bytes = 1024 + key.request_text.size() + key.toolchain_text.size() + payload.size();
  for (const auto& [name, value] : metadata)
    bytes += 8 + name.size() + value.size();
  return bytes <= std::min(k_max_entry_bytes, max_bytes);
}

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

} // namespace

void DiskStore::warn_once(std::atomic<bool>& warned, const std::string& text) {
  if (!warned.exchange(true))
    base::log_message(base::LogLevel::warning, text);
}

std::optional<Entry> DiskStore::lookup(const Key& key) {
  const std::string file = entry_file(key);
  EntryFile found = read(file, key);
  switch (found.condition) {
  case FileCondition::sound:
    count(&StoreCounters::hits);
    note_use(key, found);
    return std::move(found.entry);
  case FileCondition::absent:
    count(&StoreCounters::absent);
    break;
  case FileCondition::damaged:
    count(&StoreCounters::damaged);
    remove(key, file, found);
    warn_once(m_warned_damaged, "cache entry " + m_folder + "/" + entry_folder(key) + "/" + file + " is damaged (" +
                                    found.problem + "): it is removed and the kernel compiled again");
    break;
  case FileCondition::unreadable:
  case FileCondition::foreign:
    count(&StoreCounters::unreadable);
    warn_once(m_warned_unreadable, "cache folder " + m_folder + " cannot be read (" + found.problem +
                                       "): kernels are compiled again; repair it or set HK_CACHE_DIR");
    break;
  }
  return std::nullopt;
}

PublishOutcome DiskStore::publish(const Key& key, const Metadata& metadata, base::ByteView payload) {
  if (!fits(key, metadata, payload, m_options.max_bytes)) {
    warn_once(m_warned_large, "cache entry " + key.name() + " is too large for " + m_folder + ", which may have " +
                                  std::to_string(m_options.max_bytes) +
                                  " bytes: its kernel is compiled again in every process; raise HK_CACHE_MAX_BYTES");
    m_unwritable = true;
    count(PublishOutcome::not_stored);
    return PublishOutcome::not_stored;
  }
  const base::Bytes entry = encode_entry(key, metadata, payload);
  base::FileResult<PublishOutcome> outcome = try_publish(key, entry);
  // ESTALE: another machine has removed a folder or file that this one still knew. It is looked up anew once.
  if (!outcome && outcome.error().number == ESTALE)
    outcome = try_publish(key, entry);
  if (!outcome) {
    warn_once(m_warned_unwritable,
              "cache folder " + m_folder + " cannot be written (" + outcome.error().message +
                  "): kernels are compiled again in every process; free space or set HK_CACHE_DIR");
    outcome = PublishOutcome::not_stored;
  }
  m_unwritable = *outcome == PublishOutcome::not_stored;
  count(*outcome);
  return *outcome;
}

EntryFile DiskStore::read(const std::string& file, const Key& key) {
  const auto folder = open_cache_folder(m_folder);
  if (folder)
    return read_entry_file(folder->get(), entry_folder(key) + "/" + file, &key);
  EntryFile unread;
  unread.condition = folder.error().number == ENOENT ? FileCondition::absent : FileCondition::unreadable;
  unread.problem = folder.error().message;
  return unread;
}

// At most once an hour for each entry, whatever the number of processes: the stamp itself says when. One that is ahead,
// because a clock was set back, is set right.
void DiskStore::note_use(const Key& key, const EntryFile& found) {
  const std::int64_t now = seconds_since_1970();
  if (found.modified_seconds > now - k_stamp_seconds && found.modified_seconds < now + k_stamp_seconds)
    return;
  const timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
  // A folder that cannot be written keeps its stamps.
  if (const auto folder = open_cache_folder(m_folder))
    ::utimensat(folder->get(), (entry_folder(key) + "/" + entry_file(key)).c_str(), times, AT_SYMLINK_NOFOLLOW);
}

void DiskStore::remove(const Key& key, const std::string& file, const EntryFile& found) {
  if (const auto folder = open_cache_folder(m_folder))
    remove_unchanged(folder->get(), entry_folder(key) + "/" + file, found);
}

// Replaces what has that name. Not synced: what a power cut takes is not missed.
base::FileResult<void> DiskStore::write_beside(const Key& key, const std::string& name, base::ByteView bytes) {
  const auto folder = make_entry_folder(m_folder, key);
  if (!folder)
    return tl::unexpected<base::FileError>(folder.error());
  auto file = base::TemporaryFile::create(folder->get(), m_folder + "/" + entry_folder(key), k_entry_mode);
  if (!file)
    return tl::unexpected<base::FileError>(file.error());
  if (auto written = file->write(bytes); !written)
    return written;
  return file->publish_replacing(name);
}

bool DiskStore::contains(const Key& key) {
  const auto folder = open_cache_folder(m_folder);
  struct stat information{};
  return folder &&
         ::fstatat(folder->get(), (entry_folder(key) + "/" + entry_file(key)).c_str(), &information,
                   AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(information.st_mode);
}

void DiskStore::reject(const Key& key, const Metadata& metadata, base::ByteView payload, std::string_view reason) {
  // First away, then kept: a full disk must not leave it in service.
  const EntryFile found = read(entry_file(key), key);
  if (found.condition == FileCondition::sound && std::ranges::equal(found.entry.payload, payload))
    remove(key, entry_file(key), found);
  Metadata with_reason = metadata;
  with_reason[metadata_names::k_rejected] = reason;
  if (!fits(key, with_reason, payload, m_options.max_bytes))
    return;
  if (const auto kept = write_beside(key, rejected_file(key), encode_entry(key, with_reason, payload)); !kept)
    base::log_message(base::LogLevel::debug, "a rejected entry could not be kept: " + kept.error().message);
}

void DiskStore::keep_failure(const Key& key, const Status& failure) {
  const bool stored = fits(key, {{"message", failure.message}}, base::as_bytes(failure.detail), m_options.max_bytes) &&
                      write_beside(key, failure_file(key), encode_failure(key, failure, seconds_since_1970()));
  if (!stored)
    m_failures.keep(key, failure);
}

std::optional<Status> DiskStore::kept_failure(const Key& key) {
  if (auto own = m_failures.find(key))
    return own;
  const EntryFile found = read(failure_file(key), key);
  std::optional<Status> failure;
  if (found.condition == FileCondition::sound)
    failure = failure_of(found.entry, seconds_since_1970());
  if (!failure && (found.condition == FileCondition::sound || found.condition == FileCondition::damaged))
    remove(key, failure_file(key), found);
  return failure;
}

Turn DiskStore::wait_for_turn(TurnOf what, const base::Digest128& of, std::chrono::steady_clock::time_point deadline,
                              const std::function<bool()>& settled) {
  // On a full disk nobody would find what another makes: a crowd in turns would compile one after the other.
  const bool pointless = m_options.network || m_unwritable;
  return pointless ? Turn{} : wait_for_turn_in(m_folder, what, of, deadline, settled);
}

// The first writer of a name wins. What has the name already is usually the entry of another writer, but may also be
// something that no lookup will ever accept, and then it is replaced.
base::FileResult<PublishOutcome> DiskStore::give_name(base::TemporaryFile& file, int folder, const Key& key) {
  const std::string name = entry_file(key);
  auto linked = file.publish_new(name);
  if (linked)
    return PublishOutcome::published;
  if (linked.error().number != EEXIST)
    return tl::unexpected<base::FileError>(std::move(linked.error()));
  const FileCondition condition = read_entry_file(folder, name, &key).condition;
  // On a network file system the winner's entry may be there and yet not visible to this machine for a while.
  const bool unseen = condition == FileCondition::absent || condition == FileCondition::unreadable;
  if (condition == FileCondition::sound || (m_options.network && unseen))
    return PublishOutcome::already_present;
  if (auto replaced = file.publish_replacing(name); !replaced)
    return tl::unexpected<base::FileError>(std::move(replaced.error()));
  return PublishOutcome::published;
}

base::FileResult<PublishOutcome> DiskStore::try_publish(const Key& key, base::ByteView entry) {
  const auto failed = [](base::FileError error) { return tl::unexpected<base::FileError>(std::move(error)); };
  const auto folder = make_entry_folder(m_folder, key);
  if (!folder)
    return failed(folder.error());
  const std::string path = m_folder + "/" + entry_folder(key);
  auto file = base::TemporaryFile::create(folder->get(), path, k_entry_mode);
  if (!file)
    return failed(file.error());
  if (auto written = file->write(entry); !written)
    return failed(written.error());
  if (auto synced = file->sync(); !synced)
    return failed(synced.error());
  struct stat information{};
  if (::fstat(file->descriptor(), &information) != 0)
    return failed(base::file_error("stat a file in", path));
  auto outcome = give_name(*file, folder->get(), key);
  if (!outcome || *outcome != PublishOutcome::published)
    return outcome;
  // What could not be made has been made.
  ::unlinkat(folder->get(), failure_file(key).c_str(), 0);
  // The entry is visible now; a failing sync of its name can only lose it in a power cut.
  if (auto synced = base::sync_folder(folder->get(), path); !synced)
    base::log_message(base::LogLevel::debug, synced.error().message);
  count_evicted(m_size.after_publish(key.name(), allocated_bytes(information), information.st_mtime));
  return PublishOutcome::published;
}

} // namespace hk::cache
