#pragma once
// DiskStore: one file per entry below a cache folder, shared by all processes and jobs of one user.
//
// An entry appears whole or not at all, whatever is killed when: temporary file in the same folder, fsync, link (the
// first writer wins), fsync of the folder. Correctness needs no locks, so it also holds on network file systems: there
// several machines may make the same entry, and each goes on with its own bytes.
// Entries are read whole and never mapped (a file truncated by another node would be SIGBUS). A lookup writes no files;
// it removes a damaged entry, and once an hour it sets the time stamp of a sound one, by which the oldest are found
// when the folder grows beyond its size.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "base/files.h"
#include "base/temporary_file.h"
#include "cache/entry_file.h"
#include "cache/housekeeping.h"
#include "cache/kept_failures.h"
#include "cache/store.h"

namespace hk::cache {

struct DiskStoreOptions {
  bool network = false; // no turns: locks of a network file system bind one machine, or nobody, or hang
  // Of all files, as allocated on the disk; an entry that is larger by itself is not stored.
  std::uint64_t max_bytes = k_no_size_limit;
};

class DiskStore : public Store {
 public:
  // The folder need not exist: the first publish makes it.
  explicit DiskStore(std::string folder, const DiskStoreOptions& options = {})
      : m_folder(std::move(folder)), m_options(options), m_size(m_folder, options.max_bytes, options.network) {}

  std::optional<Entry> lookup(const Key& key) override;
  PublishOutcome publish(const Key& key, const Metadata& metadata, base::ByteView payload) override;
  bool contains(const Key& key) override;
  void reject(const Key& key, const Metadata& metadata, base::ByteView payload, std::string_view reason) override;
  void keep_failure(const Key& key, const Status& failure) override;
  std::optional<Status> kept_failure(const Key& key) override;
  Turn wait_for_turn(TurnOf what, const base::Digest128& of, std::chrono::steady_clock::time_point deadline,
                     const std::function<bool()>& settled) override;
  [[nodiscard]] std::string location() const override { return m_folder; }
  [[nodiscard]] const char* kind() const override { return "disk"; }

 private:
  base::FileResult<PublishOutcome> try_publish(const Key& key, base::ByteView entry);
  base::FileResult<PublishOutcome> give_name(base::TemporaryFile& file, int folder, const Key& key);
  EntryFile read(const std::string& file, const Key& key);
  void note_use(const Key& key, const EntryFile& found);
  void remove(const Key& key, const std::string& file, const EntryFile& found);
  base::FileResult<void> write_beside(const Key& key, const std::string& name, base::ByteView bytes);
  void warn_once(std::atomic<bool>& warned, const std::string& text);

  std::string m_folder;
  DiskStoreOptions m_options;
  SizeKeeper m_size;
  KeptFailures m_failures;               // those that could not be written
  std::atomic<bool> m_unwritable{false}; // the last publish failed
  std::atomic<bool> m_warned_damaged{false};
  std::atomic<bool> m_warned_unreadable{false};
  std::atomic<bool> m_warned_unwritable{false};
  std::atomic<bool> m_warned_large{false};
};

} // namespace hk::cache
