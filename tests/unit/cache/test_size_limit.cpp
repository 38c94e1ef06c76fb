// The size of a cache folder: who is evicted, when, by whom, and by which clock.

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <string>

#include "base/config.h"
#include "cache/disk_store.h"
#include "cache/folder_walk.h"
#include "cache/housekeeping.h"
#include "cache/inventory.h"
#include "cache/layout.h"
#include "cache/open_store.h"
#include "unit/base/child_process.h"
#include "unit/base/file_privileges.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/heard_warnings.h"
#include "unit/cache/intercepted_calls.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::DiskStoreOptions;
using hk::cache::folder_statistics;
using hk::cache::keep_house;
using hk::cache::PublishOutcome;
using hk::test::InterceptedCalls;
using hk::test::sample_key;
using hk::test::sample_payload;
using hk::test::ScratchFolder;
using hk::test::SystemCall;

namespace {

constexpr std::int64_t k_hour = 3600;
constexpr std::int64_t k_day = 24 * k_hour;
constexpr std::size_t k_payload = 10000; // three blocks of 4096 with key and header

std::int64_t now() {
  return ::time(nullptr);
}

struct Folder {
  ScratchFolder scratch;
  std::string path = scratch / "cache";

  [[nodiscard]] std::string file(const std::string& spec, const char* suffix = ".hk") const {
    const auto key = sample_key(spec);
    return path + "/" + hk::cache::entry_folder(key) + "/" + key.name() + suffix;
  }
  void publish(const std::string& spec) const {
    DiskStore store(path);
    REQUIRE(store.publish(sample_key(spec), {}, sample_payload(k_payload)) == PublishOutcome::published);
  }
  // Sets when a file was last used or written.
  static void set_age(const std::string& file, std::int64_t seconds) {
    const timespec times[2] = {{0, UTIME_OMIT}, {now() - seconds, 0}};
    REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
  }
  void publish_aged(const std::string& spec, std::int64_t seconds) const {
    publish(spec);
    set_age(file(spec), seconds);
  }
  [[nodiscard]] bool has(const std::string& spec) const { return hk::test::exists(file(spec)); }
  [[nodiscard]] std::uint64_t bytes() const { return folder_statistics(path)->allocated_bytes; }
};

std::int64_t age_of(const std::string& file) {
  struct stat information{};
  REQUIRE(::stat(file.c_str(), &information) == 0);
  return now() - information.st_mtime;
}

bool is_between(std::int64_t value, std::int64_t low, std::int64_t high) {
  return low <= value && value <= high;
}

} // namespace

TEST_SUITE_BEGIN("cache.size_limit");

TEST_CASE("beyond the limit those not used for longest go, down to nine tenths of it") {
  const Folder folder;
  for (int i = 0; i < 20; ++i)
    folder.publish_aged(std::to_string(i), k_day * (1 + i % 10) + i); // "9" and "19" are the oldest
  const std::uint64_t each = folder.bytes() / 20;
  CHECK(keep_house(folder.path, now(), folder.bytes())->evicted_entries == 0);
  const auto report = keep_house(folder.path, now(), each * 20 - 1);
  REQUIRE(report.has_value());
  CHECK(report->evicted_entries == 3); // 17 is the most below nine tenths of (almost) 20
  CHECK(report->evicted_bytes == 3 * each);
  CHECK(report->remaining_bytes == 17 * each);
  CHECK(report->remaining_bytes == folder.bytes());
  CHECK(report->problem.empty());
  for (int i = 0; i < 20; ++i)
    CHECK(folder.has(std::to_string(i)) == (i != 9 && i != 19 && i != 18));
}

TEST_CASE("the blocks on the disk count, not the bytes in the file") {
  const Folder folder;
  folder.publish("a");
  struct stat information{};
  REQUIRE(::stat(folder.file("a").c_str(), &information) == 0);
  CHECK(folder.bytes() == static_cast<std::uint64_t>(information.st_blocks) * 512);
  CHECK(folder.bytes() > static_cast<std::uint64_t>(information.st_size));
  information.st_blocks = 0;
  CHECK(hk::cache::allocated_bytes(information) == static_cast<std::uint64_t>(information.st_size));
}

TEST_CASE("a hit sets the stamp of an entry, but not within the hour") {
  const Folder folder;
  folder.publish("a");
  DiskStore store(folder.path);
  int stamped = 0;
  const InterceptedCalls calls([&](SystemCall call) {
    stamped += call == SystemCall::set_times ? 1 : 0;
    return 0;
  });
  Folder::set_age(folder.file("a"), k_hour - 100);
  stamped = 0;
  REQUIRE(store.lookup(sample_key("a")).has_value());
  CHECK(stamped == 0);
  CHECK(is_between(age_of(folder.file("a")), k_hour - 100, k_hour - 90));
  Folder::set_age(folder.file("a"), k_hour + 100);
  stamped = 0;
  for (int i = 0; i < 5; ++i)
    REQUIRE(store.lookup(sample_key("a")).has_value());
  CHECK(stamped == 1);
  CHECK(is_between(age_of(folder.file("a")), 0, 10));
}

TEST_CASE("a stamp from the future is set right by a hit, unless it is less than an hour ahead") {
  const Folder folder;
  folder.publish_aged("a", -k_hour + 100);
  DiskStore store(folder.path);
  REQUIRE(store.lookup(sample_key("a")).has_value());
  CHECK(age_of(folder.file("a")) < -k_hour + 200);
  Folder::set_age(folder.file("a"), -10 * k_day);
  REQUIRE(store.lookup(sample_key("a")).has_value());
  CHECK(is_between(age_of(folder.file("a")), 0, 10));
}

TEST_CASE("an entry with a stamp far in the future is not there for ever") {
  const Folder folder;
  folder.publish_aged("ahead", -300 * k_day);
  folder.publish_aged("old", k_day);
  folder.publish_aged("new", k_hour);
  const std::uint64_t each = folder.bytes() / 3;
  // Not evicted at once: nobody knows how old it is. But from now on it ages.
  CHECK(keep_house(folder.path, now(), each * 5 / 2)->evicted_entries == 1);
  CHECK(folder.has("ahead"));
  CHECK_FALSE(folder.has("old"));
  CHECK(is_between(age_of(folder.file("ahead")), 0, 10));
  CHECK(keep_house(folder.path, now() + 2 * k_day, each * 3 / 2)->evicted_entries == 1);
  CHECK(keep_house(folder.path, now() + 2 * k_day, each / 2)->evicted_entries == 1);
  CHECK_FALSE(folder.has("ahead"));
}

TEST_CASE("in a folder that cannot be written to a hit is a hit and no warning") {
  const Folder folder;
  folder.publish_aged("a", k_day);
  REQUIRE(::chmod(folder.path.c_str(), 0500) == 0);
  const InterceptedCalls calls([](SystemCall call) { return call == SystemCall::set_times ? EROFS : 0; });
  const hk::test::HeardWarnings warnings;
  CHECK(DiskStore(folder.path).lookup(sample_key("a")).has_value());
  CHECK(warnings.texts().empty());
  REQUIRE(::chmod(folder.path.c_str(), 0700) == 0);
}

TEST_CASE("a store evicts as it publishes, counts it, and never what it has just published") {
  const Folder folder;
  for (int i = 0; i < 10; ++i)
    folder.publish_aged(std::to_string(i), k_hour * (2 + i));
  const std::uint64_t limit = folder.bytes();
  DiskStore store(folder.path, {.max_bytes = limit});
  CHECK(store.publish(sample_key("new"), {}, sample_payload(k_payload)) == PublishOutcome::published);
  CHECK(store.counters().evicted == 2);
  CHECK(folder.bytes() <= limit * 9 / 10);
  CHECK(folder.has("new"));
  CHECK_FALSE(folder.has("9"));
  CHECK_FALSE(folder.has("8"));
  CHECK(folder.has("0"));
  // Even if there is room for nothing else.
  DiskStore narrow(folder.path, {.max_bytes = limit / 10 + 100});
  CHECK(narrow.publish(sample_key("newest"), {}, sample_payload(k_payload)) == PublishOutcome::published);
  CHECK(folder.has("newest"));
  CHECK(folder_statistics(folder.path)->entries == 1);
}

TEST_CASE("an entry larger than the limit is not stored") {
  const Folder folder;
  folder.publish("a");
  DiskStore store(folder.path, {.max_bytes = 5000});
  const hk::test::HeardWarnings warnings;
  CHECK(store.publish(sample_key("b"), {}, sample_payload(k_payload)) == PublishOutcome::not_stored);
  CHECK(warnings.texts().size() == 1);
  CHECK(folder.has("a"));
  CHECK(store.publish(sample_key("b"), {}, sample_payload(100)) == PublishOutcome::published);
}

TEST_CASE("the folder is looked through at the first publish, and then only when it may matter") {
  const Folder folder;
  folder.publish("a");
  DiskStore store(folder.path, {.max_bytes = std::uint64_t{64} << 20}); // a sixty-fourth: 1 MiB
  int looks = 0;
  InterceptedCalls* active = nullptr;
  InterceptedCalls calls([&](SystemCall call) {
    looks += call == SystemCall::open && active->path() == hk::cache::format_folder() ? 1 : 0;
    return 0;
  });
  active = &calls;
  REQUIRE(store.publish(sample_key("0"), {}, sample_payload(100)) == PublishOutcome::published);
  const int with_look = looks;
  looks = 0;
  REQUIRE(store.publish(sample_key("1"), {}, sample_payload(100)) == PublishOutcome::published);
  const int without_look = looks;
  CHECK(with_look > without_look);
  looks = 0;
  for (int i = 2; i < 100; ++i)
    REQUIRE(store.publish(sample_key(std::to_string(i)), {}, sample_payload(100)) == PublishOutcome::published);
  CHECK(looks == 98 * without_look);
  REQUIRE(store.publish(sample_key("large"), {}, sample_payload(std::size_t{1} << 20)) == PublishOutcome::published);
  CHECK(looks > 99 * without_look);
}

TEST_CASE("while another process keeps house a store does not wait, and catches up later") {
  const Folder folder;
  for (int i = 0; i < 10; ++i)
    folder.publish_aged(std::to_string(i), k_hour * (2 + i));
  const std::uint64_t limit = folder.bytes() / 2;
  DiskStore store(folder.path, {.max_bytes = limit});
  {
    const auto other = hk::cache::wait_for_housekeeping(folder.path, std::chrono::steady_clock::now());
    REQUIRE(other.has_value());
    REQUIRE(other->held());
    CHECK(store.publish(sample_key("a"), {}, sample_payload(k_payload)) == PublishOutcome::published);
    CHECK(store.counters().evicted == 0);
    CHECK(folder_statistics(folder.path)->entries == 11);
  }
  CHECK(store.publish(sample_key("b"), {}, sample_payload(k_payload)) == PublishOutcome::published);
  CHECK(folder.bytes() <= limit * 9 / 10);
}

TEST_CASE("without locks a store evicts all the same") {
  for (const bool network : {false, true}) {
    const Folder folder;
    for (int i = 0; i < 10; ++i)
      folder.publish_aged(std::to_string(i), k_hour * (2 + i));
    const std::uint64_t limit = folder.bytes() / 2;
    DiskStore store(folder.path, {.network = network, .max_bytes = limit});
    const InterceptedCalls calls([](SystemCall call) { return call == SystemCall::lock ? ENOLCK : 0; });
    CHECK(store.publish(sample_key("a"), {}, sample_payload(k_payload)) == PublishOutcome::published);
    CHECK(folder.bytes() <= limit * 9 / 10);
  }
}

TEST_CASE("an entry that is used while others are evicted stays") {
  const Folder folder;
  folder.publish_aged("oldest", 3 * k_day);
  folder.publish_aged("used", 2 * k_day);
  folder.publish_aged("newer", k_day);
  const InterceptedCalls calls([&, done = false](SystemCall call) mutable {
    if (call == SystemCall::unlink && !done) {
      done = true;
      Folder::set_age(folder.file("used"), 0); // another process's hit
    }
    return 0;
  });
  const auto report = keep_house(folder.path, now(), folder.bytes() / 2);
  REQUIRE(report.has_value());
  CHECK(report->evicted_entries == 2);
  CHECK(folder.has("used"));
}

TEST_CASE("entries that cannot be removed are a problem in the report, not for the publisher") {
  const Folder folder;
  for (int i = 0; i < 4; ++i)
    folder.publish_aged(std::to_string(i), k_day);
  const hk::test::HeardWarnings warnings;
  const InterceptedCalls calls([](SystemCall call) { return call == SystemCall::unlink ? EACCES : 0; });
  const auto report = keep_house(folder.path, now(), folder.bytes() / 2);
  REQUIRE(report.has_value());
  CHECK(report->evicted_entries == 0);
  CHECK(report->problem.find("EACCES") != std::string::npos);
  DiskStore store(folder.path, {.max_bytes = folder.bytes() / 2});
  CHECK(store.publish(sample_key("a"), {}, sample_payload(100)) == PublishOutcome::published);
  CHECK(warnings.texts().empty());
}

TEST_CASE("rejected entries go after a week or when room is needed, failures after a minute") {
  const Folder folder;
  DiskStore store(folder.path);
  for (const char* spec : {"week", "fresh"})
    store.reject(sample_key(spec), {}, sample_payload(k_payload), "for the test");
  for (const char* spec : {"expired", "from the future", "counts"})
    store.keep_failure(sample_key(spec), hk::Status(hk::StatusCode::compile_failed, "for the test"));
  Folder::set_age(folder.file("week", ".rejected"), 7 * k_day + 10);
  Folder::set_age(folder.file("fresh", ".rejected"), 7 * k_day - 100);
  Folder::set_age(folder.file("expired", ".failure"), 70);
  Folder::set_age(folder.file("from the future", ".failure"), -2 * k_hour);
  const auto report = keep_house(folder.path, now(), hk::cache::k_no_size_limit);
  REQUIRE(report.has_value());
  CHECK(report->swept_files == 3);
  CHECK_FALSE(hk::test::exists(folder.file("week", ".rejected")));
  CHECK(hk::test::exists(folder.file("fresh", ".rejected")));
  CHECK(hk::test::exists(folder.file("counts", ".failure")));
  folder.publish_aged("entry", k_day);
  const auto narrow = keep_house(folder.path, now(), folder.bytes() - 1);
  CHECK(narrow->evicted_entries == 0);
  CHECK(narrow->evicted_bytes > k_payload);
  CHECK_FALSE(hk::test::exists(folder.file("fresh", ".rejected")));
  CHECK(folder.has("entry"));
}

TEST_CASE("garbage is collected on demand, and in a folder that does not exist nothing is made") {
  const Folder folder;
  CHECK(hk::cache::collect_garbage(folder.path, 0)->evicted_entries == 0);
  CHECK_FALSE(hk::test::exists(folder.path));
  for (int i = 0; i < 4; ++i)
    folder.publish_aged(std::to_string(i), k_hour * (2 + i));
  CHECK(hk::cache::collect_garbage(folder.path, hk::cache::k_no_size_limit)->evicted_entries == 0);
  const auto report = hk::cache::collect_garbage(folder.path, folder.bytes() / 2);
  REQUIRE(report.has_value());
  CHECK(report->evicted_entries == 3); // nine tenths of two leave room for one
  CHECK(folder.has("0"));
  CHECK(hk::cache::collect_garbage(folder.path, 0)->evicted_entries == 1);
  CHECK(folder_statistics(folder.path)->entries == 0);
  CHECK(folder_statistics(folder.path)->temporary_files == 0);
}

TEST_CASE("garbage is collected where there are no locks and no room for a file more") {
  const Folder folder;
  for (int i = 0; i < 4; ++i)
    folder.publish_aged(std::to_string(i), k_hour * (2 + i));
  for (const int number : {ENOSPC, ENOLCK}) {
    CAPTURE(number);
    InterceptedCalls* calls = nullptr;
    InterceptedCalls faults([&](SystemCall call) {
      if (call == SystemCall::lock)
        return ENOLCK;
      const bool makes_file = call == SystemCall::open && calls->path().find(".temporary-") != std::string::npos;
      return makes_file && number == ENOSPC ? ENOSPC : 0;
    });
    calls = &faults;
    const auto report = hk::cache::collect_garbage(folder.path, folder.bytes() - 1);
    REQUIRE_MESSAGE(report.has_value(), report.error().message);
    CHECK(report->evicted_entries == 1);
  }
  CHECK(folder.has("0"));
  CHECK_FALSE(folder.has("3")); // the one that was not used for longest
}

TEST_CASE("garbage of a folder that others can write to is not collected: INVALID_ARGUMENT") {
  const Folder folder;
  folder.publish("0");
  REQUIRE(::chmod(folder.path.c_str(), 0777) == 0);
  const auto report = hk::cache::collect_garbage(folder.path, 0);
  REQUIRE(!report.has_value());
  CHECK(report.error().code == hk::StatusCode::invalid_argument);
  CHECK(report.error().message.find(folder.path) != std::string::npos);
  CHECK(folder.has("0"));
}

TEST_CASE("HK_CACHE_MAX_BYTES=0 keeps nothing on disk") {
  const Folder folder;
  hk::base::Config config;
  config.cache_folder = folder.path;
  config.cache_max_bytes = 0;
  const auto store = hk::cache::open_store(config);
  CHECK(std::string(store->kind()) == "memory");
  CHECK(store->publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  CHECK_FALSE(hk::test::exists(folder.path));
  config.cache_max_bytes = 1;
  CHECK(std::string(hk::cache::open_store(config)->kind()) == "disk");
}

TEST_CASE("eight processes that publish without end stay near the limit, and lose nothing but old entries") {
  const Folder folder;
  constexpr std::uint64_t k_limit = std::uint64_t{40} * 12288;
  const auto children = hk::test::start_together(8, [&](int process) {
    DiskStore store(folder.path, {.max_bytes = k_limit});
    for (int i = 0; i < 60; ++i) {
      const auto key = sample_key(std::to_string(process) + " " + std::to_string(i));
      if (store.publish(key, {}, sample_payload(k_payload)) != PublishOutcome::published)
        return 1;
    }
    return store.counters().evicted > 0 ? 0 : 2;
  });
  int without_eviction = 0;
  for (const pid_t child : children) {
    const int code = hk::test::exit_code(child);
    CHECK(code != 1);
    without_eviction += code == 2 ? 1 : 0;
  }
  CHECK(without_eviction < 8);
  // Each may have written one entry more than it had room for.
  CHECK(folder.bytes() <= k_limit + 8 * 12288);
  CHECK(folder.bytes() >= k_limit / 2);
  const auto entries = hk::cache::list_entries(folder.path);
  REQUIRE(entries.has_value());
  CHECK(hk::cache::damaged_among(*entries).empty());
  CHECK(folder_statistics(folder.path)->temporary_files == 0);
}

TEST_SUITE_END();
