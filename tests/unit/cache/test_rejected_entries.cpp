#include <doctest/doctest.h>

#include <sys/stat.h>

#include <string>

#include "cache/disk_store.h"
#include "cache/entry_file.h"
#include "cache/inventory.h"
#include "cache/layout.h"
#include "cache/memory_store.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/intercepted_calls.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::MemoryStore;
using hk::cache::PublishOutcome;
using hk::test::sample_key;
using hk::test::sample_metadata;
using hk::test::sample_payload;
using hk::test::ScratchFolder;

namespace {

struct Folder {
  ScratchFolder scratch;
  std::string path = scratch / "cache";
  std::string shard = path + "/" + hk::cache::entry_folder(sample_key());
  std::string rejected = shard + "/" + hk::cache::rejected_file(sample_key());

  // What lies beside as rejected.
  [[nodiscard]] hk::cache::EntryFile kept() const { return hk::cache::read_entry_file(AT_FDCWD, rejected); }
};

} // namespace

TEST_SUITE_BEGIN("cache.rejected_entries");

TEST_CASE("a rejected entry is no longer served, lies beside with its reason, and makes room for another") {
  const Folder folder;
  DiskStore store(folder.path);
  REQUIRE(store.publish(sample_key(), sample_metadata(), sample_payload()) == PublishOutcome::published);
  store.reject(sample_key(), sample_metadata(), sample_payload(), "does not load");
  CHECK_FALSE(store.contains(sample_key()));
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.counters().absent == 1);
  CHECK(hk::cache::list_entries(folder.path)->empty());
  const auto kept = folder.kept();
  REQUIRE(kept.condition == hk::cache::FileCondition::sound);
  CHECK(kept.entry.key == sample_key());
  CHECK(kept.entry.payload == sample_payload());
  CHECK(kept.entry.metadata.at("rejected") == "does not load");
  CHECK(kept.entry.metadata.at("symbol") == "attention_forward");
  CHECK(hk::test::mode_of(folder.rejected) == 0600);
  CHECK(store.publish(sample_key(), sample_metadata(), sample_payload(99)) == PublishOutcome::published);
  CHECK(store.lookup(sample_key())->payload == sample_payload(99));
}

TEST_CASE("what was never stored is kept beside too, and the latest rejection of a key is the one that stays") {
  const Folder folder;
  DiskStore store(folder.path);
  store.reject(sample_key(), {}, sample_payload(10), "first");
  store.reject(sample_key(), {}, sample_payload(20), "second");
  CHECK(folder.kept().entry.payload == sample_payload(20));
  CHECK(folder.kept().entry.metadata.at("rejected") == "second");
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(hk::cache::folder_statistics(folder.path)->temporary_files == 0);
}

TEST_CASE("an entry that another process has put there meanwhile stays") {
  const Folder folder;
  DiskStore store(folder.path);
  REQUIRE(store.publish(sample_key(), {}, sample_payload(50)) == PublishOutcome::published);
  store.reject(sample_key(), {}, sample_payload(60), "wrong");
  CHECK(store.lookup(sample_key())->payload == sample_payload(50));
}

TEST_CASE("a full disk keeps a rejected entry from being kept, not from being taken away") {
  const Folder folder;
  DiskStore store(folder.path);
  REQUIRE(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  {
    const hk::test::InterceptedCalls calls(
        [](hk::test::SystemCall call) { return call == hk::test::SystemCall::write ? ENOSPC : 0; });
    store.reject(sample_key(), {}, sample_payload(), "wrong");
  }
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK_FALSE(hk::test::exists(folder.rejected));
  CHECK(hk::cache::folder_statistics(folder.path)->temporary_files == 0);
}

TEST_CASE("a memory store forgets a rejected entry, unless it holds another") {
  MemoryStore store;
  CHECK_FALSE(store.contains(sample_key()));
  store.publish(sample_key(), {}, sample_payload());
  CHECK(store.contains(sample_key()));
  store.reject(sample_key(), {}, sample_payload(10), "wrong");
  CHECK(store.contains(sample_key()));
  store.reject(sample_key(), {}, sample_payload(), "wrong");
  CHECK_FALSE(store.contains(sample_key()));
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
}

TEST_SUITE_END();
