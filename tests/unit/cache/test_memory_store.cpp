#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "cache/memory_store.h"
#include "unit/cache/sample_entries.h"

using hk::cache::MemoryStore;
using hk::cache::PublishOutcome;
using hk::test::sample_key;
using hk::test::sample_payload;

namespace {

// Bytes that an entry of a one-letter spec counts beside its payload.
std::uint64_t overhead() {
  const auto key = sample_key("a");
  return key.request_text.size() + key.toolchain_text.size();
}

} // namespace

TEST_SUITE_BEGIN("cache.memory_store");

TEST_CASE("what was published is found, anything else is absent") {
  MemoryStore store;
  CHECK_FALSE(store.lookup(sample_key()).has_value());
  CHECK(store.publish(sample_key(), {{"symbol", "k"}}, sample_payload()) == PublishOutcome::published);
  const auto entry = store.lookup(sample_key());
  REQUIRE(entry.has_value());
  CHECK(entry->payload == sample_payload());
  CHECK(entry->metadata.at("symbol") == "k");
  CHECK_FALSE(store.lookup(sample_key("other")).has_value());
  CHECK(store.counters().hits == 1);
  CHECK(store.counters().absent == 2);
  CHECK(store.counters().published == 1);
}

TEST_CASE("the first of two publishers wins") {
  MemoryStore store;
  CHECK(store.publish(sample_key(), {}, sample_payload(1)) == PublishOutcome::published);
  CHECK(store.publish(sample_key(), {}, sample_payload(2)) == PublishOutcome::already_present);
  CHECK(store.lookup(sample_key())->payload.size() == 1);
}

TEST_CASE("a key with the same digest and another text is absent") {
  MemoryStore store;
  CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  auto collision = sample_key();
  collision.request_text += "x";
  CHECK_FALSE(store.lookup(collision).has_value());
}

TEST_CASE("beyond the bound the least recently used entry goes first") {
  MemoryStore store(2 * (overhead() + 100));
  CHECK(store.publish(sample_key("a"), {}, sample_payload(100)) == PublishOutcome::published);
  CHECK(store.publish(sample_key("b"), {}, sample_payload(100)) == PublishOutcome::published);
  CHECK(store.lookup(sample_key("a")).has_value());
  CHECK(store.publish(sample_key("c"), {}, sample_payload(100)) == PublishOutcome::published);
  CHECK(store.lookup(sample_key("a")).has_value());
  CHECK_FALSE(store.lookup(sample_key("b")).has_value());
  CHECK(store.lookup(sample_key("c")).has_value());
}

TEST_CASE("an entry larger than the bound is not stored and evicts nothing") {
  MemoryStore store(overhead() + 100);
  CHECK(store.publish(sample_key("a"), {}, sample_payload(100)) == PublishOutcome::published);
  CHECK(store.publish(sample_key("b"), {}, sample_payload(101)) == PublishOutcome::not_stored);
  CHECK(store.lookup(sample_key("a")).has_value());
  CHECK(store.counters().not_stored == 1);
}

TEST_CASE("threads may publish and look up at once") {
  MemoryStore store(20 * (overhead() + 200));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&store] {
      for (int i = 0; i < 200; ++i) {
        const auto key = sample_key(std::to_string(i % 30));
        (void)store.publish(key, {}, sample_payload(100));
        if (const auto entry = store.lookup(key))
          if (entry->payload != sample_payload(100))
            std::abort();
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(store.counters().hits + store.counters().absent == 800);
}

TEST_SUITE_END();
