#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/remove_tree.h"
#include "cache/disk_store.h"
#include "cache/layout.h"
#include "unit/base/file_privileges.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/heard_warnings.h"
#include "unit/cache/sample_entries.h"

using hk::base::as_text;
using hk::base::ByteView;
using hk::cache::DiskStore;
using hk::cache::PublishOutcome;
using hk::test::HeardWarnings;
using hk::test::sample_key;
using hk::test::sample_metadata;
using hk::test::sample_payload;
using hk::test::ScratchFolder;

namespace {

struct CacheFolder {
  ScratchFolder scratch;
  std::string path = scratch / "cache";
  std::string entry = path + "/" + hk::cache::entry_folder(sample_key()) + "/" + hk::cache::entry_file(sample_key());

  // An entry of a few hundred bytes.
  void publish(std::size_t payload = 50) const {
    DiskStore store(path);
    REQUIRE(store.publish(sample_key(), sample_metadata(), sample_payload(payload)) == PublishOutcome::published);
  }
  // The same without the store's care.
  void put(std::string_view bytes) const {
    ::unlink(entry.c_str());
    hk::test::write_text(entry, bytes);
    REQUIRE(::chmod(entry.c_str(), 0600) == 0);
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::recursive_directory_iterator(path))
      if (!file.is_directory())
        names.push_back(file.path().filename().string());
    return names;
  }
};

} // namespace

TEST_SUITE_BEGIN("cache.disk_store");

TEST_CASE("a lookup in a folder that does not exist is a miss and makes nothing") {
  const CacheFolder folder;
  DiskStore store(folder.path);
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.counters().absent == 1);
  CHECK_FALSE(hk::test::exists(folder.path));
}

TEST_CASE("what one store publishes another one finds, with key, metadata and payload") {
  const CacheFolder folder;
  DiskStore writer(folder.path);
  CHECK(writer.publish(sample_key(), sample_metadata(), sample_payload()) == PublishOutcome::published);
  CHECK(writer.publish(sample_key(), sample_metadata(), sample_payload()) == PublishOutcome::already_present);
  DiskStore reader(folder.path);
  const auto entry = reader.lookup(sample_key());
  REQUIRE(entry.has_value());
  CHECK(entry->key == sample_key());
  CHECK(entry->metadata == sample_metadata());
  CHECK(entry->payload == sample_payload());
  CHECK_FALSE(reader.lookup(sample_key("other")).has_value());
  CHECK(reader.counters().hits == 1);
  CHECK(reader.counters().misses() == 1);
  CHECK(writer.counters().published == 1);
  CHECK(writer.counters().already_present == 1);
  CHECK(hk::test::exists(folder.entry));
}

TEST_CASE("folders are 0700 and files 0600 under any umask, and the cache folder is tagged") {
  for (const mode_t mask : {0000U, 0022U, 0077U, 0777U}) {
    CAPTURE(mask);
    const CacheFolder folder;
    {
      const hk::test::WithoutFilePrivileges plain_user; // root would not notice a folder without rights
      const mode_t before = ::umask(mask);
      DiskStore store(folder.path);
      const PublishOutcome outcome = store.publish(sample_key(), sample_metadata(), sample_payload());
      ::umask(before);
      CHECK(outcome == PublishOutcome::published);
      CHECK(store.lookup(sample_key()).has_value());
    }
    CHECK(hk::test::mode_of(folder.path) == 0700);
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path))
      CHECK(hk::test::mode_of(file.path().string()) == (file.is_directory() ? 0700U : 0600U));
    CHECK(hk::test::read_text(folder.path + "/CACHEDIR.TAG")
              .starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    CHECK(folder.files().size() == 3); // the entry, the tag, the lock file
  }
}

TEST_CASE("from a folder that cannot be written to entries are read, and not storing is one warning") {
  const CacheFolder folder;
  folder.publish();
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path))
    if (file.is_directory())
      REQUIRE(::chmod(file.path().c_str(), 0500) == 0);
  REQUIRE(::chmod(folder.path.c_str(), 0500) == 0);
  {
    const hk::test::WithoutFilePrivileges plain_user;
    REQUIRE(::open((folder.path + "/plain").c_str(), O_WRONLY | O_CREAT, 0600) == -1);
    const HeardWarnings warnings;
    DiskStore store(folder.path);
    CHECK(store.lookup(sample_key()).has_value());
    CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::not_stored);
    CHECK(store.publish(sample_key("c"), {}, sample_payload()) == PublishOutcome::not_stored);
    CHECK(store.counters().not_stored == 2);
    REQUIRE(warnings.texts().size() == 1);
    CHECK(warnings.texts()[0].find(folder.path) != std::string::npos);
    CHECK(warnings.texts()[0].find("EACCES") != std::string::npos);
    CHECK(warnings.texts()[0].find("HK_CACHE_DIR") != std::string::npos);
  }
}

TEST_CASE("a folder that may not even be entered is misses and one warning") {
  const CacheFolder folder;
  folder.publish();
  REQUIRE(::chmod(folder.path.c_str(), 0) == 0);
  {
    const hk::test::WithoutFilePrivileges plain_user;
    const HeardWarnings warnings;
    DiskStore store(folder.path);
    CHECK_FALSE(store.lookup(sample_key()).has_value());
    CHECK_FALSE(store.lookup(sample_key()).has_value());
    CHECK(store.counters().unreadable == 2);
    CHECK(warnings.texts().size() == 1);
  }
  REQUIRE(::chmod(folder.path.c_str(), 0700) == 0);
}

TEST_CASE("an entry cut at any length is a miss, is removed, and heals") {
  const CacheFolder folder;
  folder.publish(0);
  const std::string bytes = hk::test::read_text(folder.entry);
  DiskStore store(folder.path);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    folder.put(bytes.substr(0, length));
    REQUIRE_FALSE(store.lookup(sample_key()).has_value());
    REQUIRE_FALSE(hk::test::exists(folder.entry));
  }
  CHECK(store.counters().damaged == bytes.size());
  CHECK(store.publish(sample_key(), sample_metadata(), {}) == PublishOutcome::published);
  CHECK(store.lookup(sample_key()).has_value());
}

TEST_CASE("an entry with any byte flipped is a miss; all but another format's are removed") {
  const CacheFolder folder;
  folder.publish();
  const std::string bytes = hk::test::read_text(folder.entry);
  DiskStore store(folder.path);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(~flipped[i]);
    folder.put(flipped);
    REQUIRE_FALSE(store.lookup(sample_key()).has_value());
    const bool version = i >= 8 && i < 12;
    REQUIRE(hk::test::exists(folder.entry) == version);
  }
  CHECK(store.counters().misses() == bytes.size());
}

TEST_CASE("the entry of another target under the right name is a miss and is removed") {
  const CacheFolder folder;
  folder.publish();
  const auto wrong =
      hk::cache::encode_entry(sample_key("attention d128", "gfx950"), sample_metadata(), sample_payload());
  folder.put(as_text(ByteView(wrong)));
  const HeardWarnings warnings;
  DiskStore store(folder.path);
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.counters().damaged == 1);
  CHECK_FALSE(hk::test::exists(folder.entry));
  REQUIRE(warnings.texts().size() == 1);
  CHECK(warnings.texts()[0].find("holds another key") != std::string::npos);
}

TEST_CASE("many damaged entries are one warning") {
  const CacheFolder folder;
  folder.publish();
  const HeardWarnings warnings;
  DiskStore store(folder.path);
  for (int i = 0; i < 3; ++i) {
    folder.put("rubbish");
    CHECK_FALSE(store.lookup(sample_key()).has_value());
  }
  CHECK(store.counters().damaged == 3);
  CHECK(warnings.texts().size() == 1);
}

TEST_CASE("an entry of a newer format stays until a publish replaces it") {
  const CacheFolder folder;
  folder.publish();
  std::string bytes = hk::test::read_text(folder.entry);
  bytes[8] = 2;
  folder.put(bytes);
  DiskStore store(folder.path);
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(hk::test::read_text(folder.entry) == bytes);
  CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  CHECK(store.lookup(sample_key()).has_value());
}

TEST_CASE("a FIFO, a link, a socket or a foreign file in place of an entry never blocks and is replaced") {
  for (const std::string kind : {"fifo", "link", "dangling", "socket", "writable"}) {
    CAPTURE(kind);
    const CacheFolder folder;
    folder.publish();
    const std::string elsewhere = folder.scratch / "elsewhere";
    std::filesystem::rename(folder.entry, elsewhere);
    if (kind == "fifo")
      REQUIRE(::mkfifo(folder.entry.c_str(), 0600) == 0);
    if (kind == "link")
      REQUIRE(::symlink(elsewhere.c_str(), folder.entry.c_str()) == 0);
    if (kind == "dangling")
      REQUIRE(::symlink("/nowhere", folder.entry.c_str()) == 0);
    if (kind == "socket")
      REQUIRE(::mknod(folder.entry.c_str(), S_IFSOCK | 0600, 0) == 0);
    if (kind == "writable") {
      std::filesystem::copy_file(elsewhere, folder.entry);
      REQUIRE(::chmod(folder.entry.c_str(), 0666) == 0);
    }
    DiskStore store(folder.path);
    CHECK_FALSE(store.lookup(sample_key()).has_value());
    CHECK(store.counters().damaged == 1);
    CHECK_FALSE(hk::test::exists(folder.entry));
    CHECK(hk::test::exists(elsewhere));
    CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
    CHECK(store.lookup(sample_key()).has_value());
  }
}

TEST_CASE("a folder in place of an entry is a miss and a warning, nothing more") {
  const CacheFolder folder;
  folder.publish();
  REQUIRE(::unlink(folder.entry.c_str()) == 0);
  REQUIRE(::mkdir(folder.entry.c_str(), 0700) == 0);
  DiskStore store(folder.path);
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::not_stored);
  CHECK(folder.files().size() == 2); // the tag and the lock file: no temporary file is left
}

TEST_CASE("a cache folder that becomes a link, or writable for others, is no longer used") {
  const CacheFolder folder;
  folder.publish();
  DiskStore store(folder.path);
  REQUIRE(::chmod(folder.path.c_str(), 0777) == 0);
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::not_stored);
  REQUIRE(::chmod(folder.path.c_str(), 0700) == 0);
  CHECK(store.lookup(sample_key()).has_value());
  std::filesystem::rename(folder.path, folder.scratch / "moved");
  REQUIRE(::symlink("moved", folder.path.c_str()) == 0);
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::not_stored);
}

TEST_CASE("a link among the inner folders is not followed") {
  const CacheFolder folder;
  folder.publish();
  const ScratchFolder outside;
  const std::string inner = folder.path + "/v1";
  REQUIRE(hk::base::remove_tree(inner).has_value());
  REQUIRE(::symlink(outside.path().c_str(), inner.c_str()) == 0);
  DiskStore store(folder.path);
  CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::not_stored);
  CHECK(std::filesystem::is_empty(outside.path()));
}

TEST_CASE("a folder removed while a store uses it is made again") {
  const CacheFolder folder;
  DiskStore store(folder.path);
  for (int i = 0; i < 2; ++i) {
    CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
    CHECK(store.lookup(sample_key()).has_value());
    REQUIRE(hk::base::remove_tree(folder.path).has_value());
    CHECK_FALSE(store.lookup(sample_key()).has_value());
  }
}

TEST_CASE("an entry larger than any code object is not stored") {
  const CacheFolder folder;
  DiskStore store(folder.path);
  const hk::base::Bytes payload(hk::cache::k_max_entry_bytes);
  CHECK(store.publish(sample_key(), {}, payload) == PublishOutcome::not_stored);
  CHECK_FALSE(hk::test::exists(folder.path));
}

TEST_CASE("64 descriptors are enough for any number of entries, and none left is a miss that removes nothing") {
  const CacheFolder folder;
  DiskStore store(folder.path);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit few = before;
  few.rlim_cur = 64;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  bool all_well = true;
  for (int i = 0; i < 80; ++i) {
    const auto key = sample_key(std::to_string(i));
    all_well = all_well && store.publish(key, {}, sample_payload(10)) == PublishOutcome::published;
    all_well = all_well && store.lookup(key).has_value();
  }
  few.rlim_cur = 3;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  const bool found = store.lookup(sample_key("7")).has_value();
  const PublishOutcome outcome = store.publish(sample_key("new"), {}, sample_payload(10));
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(all_well);
  CHECK_FALSE(found);
  CHECK(outcome == PublishOutcome::not_stored);
  CHECK(store.counters().unreadable == 1);
  CHECK(store.lookup(sample_key("7")).has_value());
}

TEST_CASE("an entry beyond the size limit is one warning that names the limit, not the disk") {
  const hk::test::ScratchFolder scratch;
  const HeardWarnings warnings;
  DiskStore store(scratch / "cache", {.max_bytes = 1025});
  for (const char* name : {"a", "b"})
    CHECK(store.publish(hk::test::sample_key(name), {}, hk::test::sample_payload(4096)) == PublishOutcome::not_stored);
  REQUIRE(warnings.texts().size() == 1);
  CHECK(warnings.texts()[0].find("1025 bytes") != std::string::npos);
  CHECK(warnings.texts()[0].find("HK_CACHE_MAX_BYTES") != std::string::npos);
  CHECK(warnings.texts()[0].find("free space") == std::string::npos);
  CHECK(store.counters().not_stored == 2);
}

TEST_SUITE_END();
