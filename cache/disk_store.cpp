#include "cache/disk_store.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/log.h"
#include "base/temporary_file.h"
#include "cache/entry_file.h"
#include "cache/inventory.h"
#include "cache/layout.h"

namespace hk::cache {
namespace {

constexpr mode_t k_entry_mode = 0600;

bool fits(const Key& key, const Metadata& metadata, base::ByteView payload) {
  std::uint64_t bytes = 1024 + key.request_text.size() + key.toolchain_text.size() + payload.size();
  for (const auto& [name, value] : metadata)
    bytes += 8 + name.size() + value.size();
  return bytes <= k_max_entry_bytes;
}

} // namespace

void DiskStore::warn_once(std::atomic<bool>& warned, const std::string& text) {
  if (!warned.exchange(true))
    base::log_message(base::LogLevel::warning, text);
}

std::optional<Entry> DiskStore::lookup(const Key& key) {
  const auto folder = open_cache_folder(m_folder);
  EntryFile found;
  const std::string file = entry_folder(key) + "/" + entry_file(key);
  if (folder) {
    found = read_entry_file(folder->get(), file, &key);
  } else if (folder.error().number != ENOENT) {
    found.condition = FileCondition::unreadable;
    found.problem = folder.error().message;
  }
  switch (found.condition) {
  case FileCondition::sound:
    count(&StoreCounters::hits);
    return std::move(found.entry);
  case FileCondition::absent:
    count(&StoreCounters::absent);
    break;
  case FileCondition::damaged:
    count(&StoreCounters::damaged);
    remove_damaged(folder->get(), file, found);
    warn_once(m_warned_damaged, "cache entry " + m_folder + "/" + file + " is damaged (" + found.problem +
                                    "): it is removed and the kernel compiled again");
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
  base::FileResult<PublishOutcome> outcome = fits(key, metadata, payload)
                                                 ? try_publish(key, encode_entry(key, metadata, payload))
                                                 : base::file_failure("write (too large)", key.name(), EFBIG);
  if (!outcome) {
    warn_once(m_warned_unwritable,
              "cache folder " + m_folder + " cannot be written (" + outcome.error().message +
                  "): kernels are compiled again in every process; free space or set HK_CACHE_DIR");
    outcome = PublishOutcome::not_stored;
  }
  count(*outcome);
  return *outcome;
}

void DiskStore::discard(const Key& key) {
  const auto folder = open_cache_folder(m_folder);
  if (!folder)
    return;
  const std::string file = entry_folder(key) + "/" + entry_file(key);
  const EntryFile found = read_entry_file(folder->get(), file, &key);
  if (found.condition == FileCondition::sound)
    remove_damaged(folder->get(), file, found);
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
  const std::string name = entry_file(key);
  if (auto linked = file->publish_new(name); !linked) {
    if (linked.error().number != EEXIST)
      return failed(linked.error());
    // Usually another writer of the same key; but what is there may also be something that no lookup will ever accept.
    if (read_entry_file(folder->get(), name, &key).condition == FileCondition::sound)
      return PublishOutcome::already_present;
    if (auto replaced = file->publish_replacing(name); !replaced)
      return failed(replaced.error());
  }
  // The entry is visible now; a failing sync of its name can only lose it in a power cut.
  if (auto synced = base::sync_folder(folder->get(), path); !synced)
    base::log_message(base::LogLevel::debug, synced.error().message);
  struct stat information{};
  if (!m_swept.exchange(true) && ::fstat(file->descriptor(), &information) == 0)
    sweep_orphans(m_folder, information.st_mtime);
  return PublishOutcome::published;
}

} // namespace hk::cache
