#pragma once
// DiskStore: one file per entry below a cache folder, shared by all processes and jobs of one user.
//
// An entry appears whole or not at all, whatever is killed when: temporary file in the same folder, fsync, link (the
// first writer wins), fsync of the folder. Correctness needs no locks, so it also holds on network file systems.
// Entries are read whole and never mapped (a file truncated by another node would be SIGBUS). A lookup writes nothing,
// except that a damaged entry is removed.

#include <atomic>
#include <string>

#include "base/files.h"
#include "cache/store.h"

namespace hk::cache {

class DiskStore : public Store {
 public:
  // The folder need not exist: the first publish makes it.
  explicit DiskStore(std::string folder) : m_folder(std::move(folder)) {}

  std::optional<Entry> lookup(const Key& key) override;
  PublishOutcome publish(const Key& key, const Metadata& metadata, base::ByteView payload) override;
  void discard(const Key& key) override;
  [[nodiscard]] std::string location() const override { return m_folder; }
  [[nodiscard]] const char* kind() const override { return "disk"; }

 private:
  base::FileResult<PublishOutcome> try_publish(const Key& key, base::ByteView entry);
  void warn_once(std::atomic<bool>& warned, const std::string& text);

  std::string m_folder;
  std::atomic<bool> m_warned_damaged{false};
  std::atomic<bool> m_warned_unreadable{false};
  std::atomic<bool> m_warned_unwritable{false};
  std::atomic<bool> m_swept{false};
};

} // namespace hk::cache
