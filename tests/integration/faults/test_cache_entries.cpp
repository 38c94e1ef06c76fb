// Entries of the cache folder that are damaged, of another device, or cannot be stored.

#include "surroundings.h"

#include <sys/stat.h>

#include <fstream>

#include "cache_entry.h"
#include "heard_log.h"
#include "unit/base/file_privileges.h"

using namespace hk;
using namespace hk::test;

namespace {

// A folder with the entry of the small call.
class FilledCache {
 public:
  FilledCache() {
    const Context context = open_in({.cache = path()});
    SmallCall(context).expect_right();
    CHECK(context.statistics().compiles == 1);
    m_sound = read_text(entry());
    REQUIRE(m_sound.size() > 1024);
    REQUIRE(all_sound(path()));
  }
  [[nodiscard]] std::string path() const { return m_scratch / "cache"; }
  [[nodiscard]] std::string entry() const { return only_entry_below(path()); }
  [[nodiscard]] const std::string& sound() const { return m_sound; }

 private:
  ScratchFolder m_scratch;
  std::string m_sound;
};

void expect_hit(const std::string& folder) {
  const Context context = open_in({.cache = folder});
  SmallCall(context).expect_right();
  CHECK(context.statistics().compiles == 0);
  CHECK(context.statistics().disk_hits == 1);
}

std::vector<std::uint16_t> output_in(const std::string& folder, std::uint64_t compiles) {
  const Context context = open_in({.cache = folder});
  SmallCall call(context);
  call.expect_right();
  CHECK(context.statistics().compiles == compiles);
  return call.output();
}

// With this content instead of the entry: the damage is found, the result right, and the entry sound again.
void check_damage(const FilledCache& cache, const std::string& content) {
  const std::string entry = cache.entry();
  write_text(entry, content);
  CHECK_FALSE(all_sound(cache.path()));
  CHECK(verified(cache.path()).find(std::filesystem::path(entry).stem().string()) != std::string::npos);
  {
    const HeardLog log;
    const Context context = open_in({.cache = cache.path()});
    SmallCall(context).expect_right();
    CHECK(context.statistics().compiles == 1);
    CHECK(context.statistics().disk_hits == 0);
    REQUIRE(log.texts().size() == 1);
    CHECK(log.texts()[0].find("damaged") != std::string::npos);
  }
  CHECK(cache.entry() == entry);
  CHECK(read_text(entry).size() == cache.sound().size());
  CHECK(all_sound(cache.path()));
}

} // namespace

TEST_SUITE_BEGIN("cache_entries");

TEST_CASE("K5, K7: an entry is found by the next context; a truncated one is compiled again and replaced") {
  const Census census;
  const FilledCache cache;
  expect_hit(cache.path());
  for (const std::size_t size : {std::size_t{0}, cache.sound().size() / 2, cache.sound().size() - 1}) {
    CAPTURE(size);
    check_damage(cache, cache.sound().substr(0, size));
  }
  expect_hit(cache.path());
}

TEST_CASE("K7: the run that compiles, the one that finds the entry and one without a folder give the same bits") {
  const Census census;
  const ScratchFolder scratch;
  const std::vector<std::uint16_t> compiled = output_in(scratch / "cache", 1);
  REQUIRE_FALSE(compiled.empty());
  CHECK(output_in(scratch / "cache", 0) == compiled);
  CHECK(output_in("none", 1) == compiled);
}

TEST_CASE("cache entries: a flipped bit in head, code or checksum is found, and the entry replaced") {
  const Census census;
  const FilledCache cache;
  const std::size_t size = cache.sound().size();
  for (const std::size_t place : {std::size_t{17}, size / 2, size - 2}) {
    CAPTURE(place);
    std::string flipped = cache.sound();
    flipped[place] = static_cast<char>(flipped[place] ^ 0x10);
    check_damage(cache, flipped);
  }
  expect_hit(cache.path());
}

TEST_CASE("K10: the entry of one architecture is none for another") {
  const Census census;
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  for (const char* device : {"sim:mi300x", "sim:mi355x"}) {
    const Context context = open_in({.device = device, .cache = folder});
    SmallCall(context).expect_right();
    CHECK(context.statistics().compiles == 1);
  }
  CHECK(entries_below(folder).size() == 2);
  // The same architecture on another product is a hit.
  const Context context = open_in({.device = "sim:mi325x", .cache = folder});
  SmallCall(context).expect_right();
  CHECK(context.statistics().compiles == 0);
}

TEST_CASE("cache entries: a folder that cannot be written is one warning; what it holds is used") {
  const Census census;
  const FilledCache cache;
  const ScratchFolder scratch;
  REQUIRE(::mkdir((scratch / "empty").c_str(), 0500) == 0);
  REQUIRE(::chmod(cache.path().c_str(), 0500) == 0);
  {
    const WithoutFilePrivileges unprivileged;
    REQUIRE_FALSE(std::ofstream(scratch / "empty/file").is_open()); // a plain write fails
    REQUIRE_FALSE(std::ofstream(cache.path() + "/file").is_open());
    expect_hit(cache.path());
    const HeardLog log;
    const Context context = open_in({.cache = scratch / "empty"});
    SmallCall(context).expect_right();
    CHECK(context.statistics().compiles == 1);
    REQUIRE(log.texts().size() == 1);
    CHECK(log.texts()[0].find(scratch / "empty") != std::string::npos);
    CHECK(log.texts()[0].find("HK_CACHE_DIR") != std::string::npos);
  }
  ::chmod(cache.path().c_str(), 0700);
  CHECK(entries_below(scratch / "empty").empty());
}

TEST_CASE("cache entries: a file where the folder should be is one warning, kernels are kept in memory") {
  const Census census;
  const ScratchFolder scratch;
  write_text(scratch / "cache", "in the way");
  const HeardLog log;
  const Context context = open_in({.cache = scratch / "cache"});
  SmallCall(context).expect_right();
  REQUIRE(log.texts().size() == 1);
  CHECK(log.texts()[0].find(scratch / "cache") != std::string::npos);
  CHECK(log.texts()[0].find("HK_CACHE_DIR") != std::string::npos);
  CHECK(read_text(scratch / "cache") == "in the way");
}

TEST_SUITE_END();
