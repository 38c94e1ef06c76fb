#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "cache/layout.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/intercepted_calls.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::PublishOutcome;
using hk::test::sample_key;
using hk::test::sample_metadata;
using hk::test::sample_payload;
using hk::test::ScratchFolder;

namespace {

struct Cache {
  ScratchFolder scratch;
  std::string folder = scratch / "cache";

  void publish(const std::string& spec) const {
    DiskStore store(folder);
    REQUIRE(store.publish(sample_key(spec), sample_metadata(), sample_payload(100)) == PublishOutcome::published);
  }
  [[nodiscard]] std::string file(const std::string& spec) const {
    const auto key = sample_key(spec);
    return folder + "/" + hk::cache::entry_folder(key) + "/" + hk::cache::entry_file(key);
  }
  // A temporary file as a killed writer leaves it, last written so many seconds ago.
  [[nodiscard]] std::string orphan(const std::string& spec, long age) const {
    REQUIRE(hk::cache::make_entry_folder(folder, sample_key(spec)).has_value());
    const std::string path = folder + "/" + hk::cache::entry_folder(sample_key(spec)) + "/.temporary-" +
                             "0123456789abcdef0123456789abcde" + std::to_string(age % 10);
    hk::test::write_text(path, "half an ent");
    timespec times[2]{};
    ::clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= age;
    times[1] = times[0];
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
    return path;
  }
};

} // namespace

TEST_SUITE_BEGIN("cache.inventory");

TEST_CASE("a folder that does not exist is an empty one, and stays away") {
  const Cache cache;
  CHECK(hk::cache::folder_statistics(cache.folder)->entries == 0);
  CHECK(hk::cache::list_entries(cache.folder)->empty());
  CHECK(hk::cache::damaged_among(*hk::cache::list_entries(cache.folder)).empty());
  CHECK(hk::cache::clear_entries(cache.folder)->removed_entries == 0);
  CHECK_FALSE(hk::test::exists(cache.folder));
}

TEST_CASE("a folder that others can write to is refused with the reason") {
  const Cache cache;
  cache.publish("a");
  REQUIRE(::chmod(cache.folder.c_str(), 0777) == 0);
  const auto statistics = hk::cache::folder_statistics(cache.folder);
  REQUIRE_FALSE(statistics.has_value());
  CHECK(statistics.error().code == hk::StatusCode::invalid_argument);
  CHECK(statistics.error().message.find("chmod go-w") != std::string::npos);
  CHECK_FALSE(hk::cache::clear_entries(cache.folder).has_value());
  CHECK(hk::test::exists(cache.file("a")));
}

TEST_CASE("entries are counted and listed with size, key and metadata, sorted by name") {
  const Cache cache;
  for (const char* spec : {"a", "b", "c"})
    cache.publish(spec);
  const std::string orphan = cache.orphan("a", 10);
  const auto statistics = hk::cache::folder_statistics(cache.folder);
  REQUIRE(statistics.has_value());
  CHECK(statistics->entries == 3);
  CHECK(statistics->entry_bytes == 3 * std::filesystem::file_size(cache.file("a")));
  CHECK(statistics->temporary_files == 1);
  CHECK(statistics->temporary_bytes == 11);
  const auto entries = hk::cache::list_entries(cache.folder);
  REQUIRE(entries.has_value());
  REQUIRE(entries->size() == 3);
  CHECK(entries->at(0).name < entries->at(1).name);
  CHECK(entries->at(1).name < entries->at(2).name);
  for (const auto& entry : *entries) {
    CHECK(entry.problem.empty());
    CHECK(entry.metadata == sample_metadata());
    CHECK(entry.name == entry.key.name());
    CHECK(entry.bytes == std::filesystem::file_size(cache.file("a")));
    CHECK(entry.modified_seconds > 1600000000);
  }
}

TEST_CASE("verification finds the damaged, the misnamed and the unreadable, and removes nothing") {
  const Cache cache;
  for (const char* spec : {"sound", "cut", "moved from", "fifo"})
    cache.publish(spec);
  std::filesystem::resize_file(cache.file("cut"), 100);
  REQUIRE(::unlink(cache.file("fifo").c_str()) == 0);
  REQUIRE(::mkfifo(cache.file("fifo").c_str(), 0600) == 0);
  REQUIRE(hk::cache::make_entry_folder(cache.folder, sample_key("moved to")).has_value());
  std::filesystem::rename(cache.file("moved from"), cache.file("moved to"));
  const auto damaged = hk::cache::damaged_among(*hk::cache::list_entries(cache.folder));
  CHECK(damaged.size() == 3);
  for (const auto& entry : damaged) {
    if (entry.name == sample_key("cut").name())
      CHECK(entry.problem == "truncated");
    else if (entry.name == sample_key("fifo").name())
      CHECK(entry.problem == "not a regular file");
    else
      CHECK(entry.problem == "holds the entry " + sample_key("moved from").name());
  }
  CHECK(hk::cache::damaged_among(*hk::cache::list_entries(cache.folder)).size() == 3);
  CHECK(hk::cache::list_entries(cache.folder)->size() == 4);
}

TEST_CASE("a file that vanishes while the folder is looked through is neither listed nor damaged") {
  const Cache cache;
  for (const char* spec : {"a", "b", "c"})
    cache.publish(spec);
  hk::test::InterceptedCalls* active = nullptr;
  hk::test::InterceptedCalls calls([&](hk::test::SystemCall call) {
    // Another process removes each entry right before it is opened.
    if (call == hk::test::SystemCall::open && active->path().ends_with(".hk"))
      ::unlink((cache.folder + "/" + active->path()).c_str());
    return 0;
  });
  active = &calls;
  const auto entries = hk::cache::list_entries(cache.folder);
  REQUIRE(entries.has_value());
  CHECK(entries->empty());
}

TEST_CASE("one entry is inspected by its name or the beginning of it") {
  const Cache cache;
  for (const char* spec : {"a", "b", "c"})
    cache.publish(spec);
  const std::string name = sample_key("b").name();
  const auto entry = hk::cache::inspect_entry(cache.folder, name);
  REQUIRE(entry.has_value());
  CHECK(entry->kind == hk::cache::FileKind::entry);
  CHECK(entry->name == name);
  CHECK(cache.folder + "/" + entry->path == cache.file("b"));
  CHECK(entry->key == sample_key("b"));
  CHECK(entry->metadata == sample_metadata());
  CHECK(entry->payload_bytes == 100);
  CHECK(hk::cache::inspect_entry(cache.folder, name.substr(0, 12))->name == name);
  const auto ambiguous = hk::cache::inspect_entry(cache.folder, "");
  REQUIRE_FALSE(ambiguous.has_value());
  CHECK(ambiguous.error().message.find("3 entries") != std::string::npos);
  CHECK(ambiguous.error().message.find(name) != std::string::npos);
  const auto none = hk::cache::inspect_entry(cache.folder, "xyz");
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().code == hk::StatusCode::invalid_argument);
  CHECK(none.error().message.find("xyz") != std::string::npos);
  std::filesystem::resize_file(cache.file("b"), 100);
  CHECK(hk::cache::inspect_entry(cache.folder, name)->problem == "truncated");
}

TEST_CASE("rejected entries and failures are counted, inspected where there is no entry, and cleared") {
  const Cache cache;
  DiskStore store(cache.folder);
  store.reject(sample_key("a"), sample_metadata(), sample_payload(100), "computes nonsense");
  store.keep_failure(sample_key("a"), hk::Status(hk::StatusCode::compile_failed, "no"));
  store.keep_failure(sample_key("b"), hk::Status(hk::StatusCode::compile_failed, "does not compile"));
  cache.publish("c");
  store.reject(sample_key("c"), {}, sample_payload(50), "another payload");
  const auto statistics = hk::cache::folder_statistics(cache.folder);
  REQUIRE(statistics.has_value());
  CHECK(statistics->entries == 1);
  CHECK(statistics->rejected_entries == 2);
  CHECK(statistics->rejected_bytes > 150);
  CHECK(statistics->kept_failures == 2);
  CHECK(statistics->allocated_bytes >= 5 * 512);
  const auto rejected = hk::cache::inspect_entry(cache.folder, sample_key("a").name());
  REQUIRE(rejected.has_value());
  CHECK(rejected->kind == hk::cache::FileKind::rejected);
  CHECK(rejected->metadata.at("rejected") == "computes nonsense");
  const auto failure = hk::cache::inspect_entry(cache.folder, sample_key("b").name());
  REQUIRE(failure.has_value());
  CHECK(failure->kind == hk::cache::FileKind::failure);
  CHECK(hk::cache::inspect_entry(cache.folder, sample_key("c").name())->kind == hk::cache::FileKind::entry);
  CHECK(hk::cache::list_entries(cache.folder)->size() == 1);
  CHECK(hk::cache::clear_entries(cache.folder)->removed_entries == 1);
  const auto cleared = hk::cache::folder_statistics(cache.folder);
  CHECK(cleared->entries + cleared->rejected_entries + cleared->kept_failures + cleared->temporary_files == 0);
  CHECK_FALSE(store.kept_failure(sample_key("b")).has_value());
}

TEST_CASE("clearing removes entries and old temporary files, and nothing that is not the store's") {
  const Cache cache;
  cache.publish("a");
  cache.publish("b");
  const std::string orphan = cache.orphan("a", 3601);
  const std::string being_written = cache.orphan("b", 10);
  const std::string foreign = cache.folder + "/" + hk::cache::entry_folder(sample_key("a")) + "/notes.txt";
  hk::test::write_text(foreign, "mine");
  hk::test::write_text(cache.folder + "/notes.txt", "mine");
  const auto report = hk::cache::clear_entries(cache.folder);
  REQUIRE(report.has_value());
  CHECK(report->removed_entries == 2);
  CHECK(report->removed_bytes > 600);
  CHECK(report->problem.empty());
  CHECK_FALSE(hk::test::exists(orphan));
  CHECK(hk::test::exists(being_written));
  CHECK(hk::test::exists(foreign));
  CHECK(hk::test::exists(cache.folder + "/notes.txt"));
  CHECK(hk::cache::folder_statistics(cache.folder)->entries == 0);
  cache.publish("a");
}

TEST_CASE("the first publish of a store sweeps temporary files older than an hour, in every folder") {
  const Cache cache;
  cache.publish("a");
  const std::string old = cache.orphan("b", 3700);
  const std::string young = cache.orphan("c", 3501);
  DiskStore store(cache.folder);
  CHECK(store.lookup(sample_key("a")).has_value());
  CHECK(hk::test::exists(old)); // a lookup removes nothing
  CHECK(store.publish(sample_key("d"), {}, sample_payload()) == PublishOutcome::published);
  CHECK_FALSE(hk::test::exists(old));
  CHECK(hk::test::exists(young));
}

TEST_SUITE_END();
