#include <doctest/doctest.h>

#include <string>

#include "cache/open_store.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/heard_warnings.h"
#include "unit/cache/sample_entries.h"

using hk::cache::PublishOutcome;
using hk::test::sample_key;
using hk::test::sample_payload;

TEST_SUITE_BEGIN("cache.open_store");

TEST_CASE("a folder that can be used gives a disk store there, without making it") {
  const hk::test::ScratchFolder scratch;
  const hk::test::HeardWarnings warnings;
  hk::base::Config config;
  config.cache_folder = scratch / "cache";
  const auto store = hk::cache::open_store(config);
  CHECK(std::string(store->kind()) == "disk");
  CHECK(store->location() == scratch / "cache");
  CHECK_FALSE(hk::test::exists(scratch / "cache"));
  CHECK(store->publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  CHECK(hk::cache::open_store(config)->lookup(sample_key()).has_value());
  CHECK(warnings.texts().empty());
}

TEST_CASE("no usable folder gives a memory store and one warning that says why and what to do") {
  const hk::test::ScratchFolder scratch;
  const hk::test::HeardWarnings warnings;
  hk::test::write_text(scratch / "file", "");
  hk::base::Config config;
  config.cache_folder = scratch / "file";
  const auto store = hk::cache::open_store(config);
  CHECK(std::string(store->kind()) == "memory");
  CHECK(store->publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  CHECK(store->lookup(sample_key()).has_value());
  REQUIRE(warnings.texts().size() == 1);
  CHECK(warnings.texts()[0].find(scratch / "file is not a folder") != std::string::npos);
  CHECK(warnings.texts()[0].find("HK_CACHE_DIR") != std::string::npos);
}

TEST_CASE("HK_CACHE_DIR=none gives a memory store without a warning") {
  const hk::test::HeardWarnings warnings;
  hk::base::Config config;
  config.cache_folder = "none";
  CHECK(std::string(hk::cache::open_store(config)->kind()) == "memory");
  CHECK(warnings.texts().empty());
}

TEST_SUITE_END();
