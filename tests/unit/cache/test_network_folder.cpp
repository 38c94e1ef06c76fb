// Network file systems: no locks, duplicates allowed, the first link wins, and answers that come late, twice or not at
// all. Faults are injected below the library; random schedules log their seed.

#include <doctest/doctest.h>

#include <cerrno>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cache/disk_store.h"
#include "cache/inventory.h"
#include "cache/layout.h"
#include "unit/base/child_process.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/heard_warnings.h"
#include "unit/cache/intercepted_calls.h"
#include "unit/cache/sample_entries.h"

using hk::cache::DiskStore;
using hk::cache::DiskStoreOptions;
using hk::cache::PublishOutcome;
using hk::test::HeardWarnings;
using hk::test::InterceptedCalls;
using hk::test::sample_key;
using hk::test::sample_metadata;
using hk::test::sample_payload;
using hk::test::ScratchFolder;
using hk::test::SystemCall;

namespace {

constexpr DiskStoreOptions k_network{.network = true};

struct Folder {
  ScratchFolder scratch;
  std::string path = scratch / "cache";
  std::string entry = path + "/" + hk::cache::entry_folder(sample_key()) + "/" + hk::cache::entry_file(sample_key());

  void publish(std::size_t payload) const {
    DiskStore other_machine(path, k_network);
    REQUIRE(other_machine.publish(sample_key(), {}, sample_payload(payload)) == PublishOutcome::published);
  }
};

// Payload of the i-th key of the random schedules: any byte of another key's would show.
hk::base::Bytes payload_of(int i) {
  hk::base::Bytes payload(static_cast<std::size_t>(200 + 37 * i));
  for (std::size_t byte = 0; byte < payload.size(); ++byte)
    payload[byte] = static_cast<std::byte>(byte * 5 + static_cast<std::size_t>(i) * 11);
  return payload;
}

// What each call of a bad network file system may say instead of the truth; negative: it happened all the same.
std::span<const int> faults_of(SystemCall call) {
  static constexpr int k_open[] = {ENOENT, ESTALE, EIO, EACCES, EMFILE};
  static constexpr int k_transfer[] = {EIO, ESTALE, EINTR};
  static constexpr int k_write[] = {EIO, ESTALE, EINTR, ENOSPC, EDQUOT};
  static constexpr int k_sync[] = {EIO, -EIO, EINVAL};
  static constexpr int k_link[] = {-EEXIST, EIO, -EIO, ESTALE, -ESTALE, EPERM};
  static constexpr int k_rename[] = {-ENOENT, EIO, -EIO, ESTALE, EBUSY};
  static constexpr int k_make_folder[] = {-EEXIST, EIO, ESTALE};
  static constexpr int k_unlink[] = {-ENOENT, EBUSY, ESTALE, EIO};
  static constexpr int k_others[] = {EIO, -EIO, ENOLCK};
  switch (call) {
  case SystemCall::open:
    return k_open;
  case SystemCall::read:
    return k_transfer;
  case SystemCall::write:
    return k_write;
  case SystemCall::sync:
    return k_sync;
  case SystemCall::link:
    return k_link;
  case SystemCall::rename:
    return k_rename;
  case SystemCall::make_folder:
    return k_make_folder;
  case SystemCall::unlink:
    return k_unlink;
  default:
    return k_others;
  }
}

// About one call in `rarity` goes wrong.
InterceptedCalls::Filter random_faults(std::mt19937_64& random, unsigned rarity) {
  return [&random, rarity](SystemCall call) {
    if (random() % rarity != 0)
      return 0;
    const auto faults = faults_of(call);
    return faults[random() % faults.size()];
  };
}

// A process of some machine: looks for entries, makes what it does not find, and never sees wrong bytes. Returns 0 if
// all went well.
int use_folder(const std::string& folder, std::uint64_t seed, int keys, int steps, unsigned rarity) {
  std::mt19937_64 random(seed);
  DiskStore store(folder, k_network);
  InterceptedCalls calls(random_faults(random, rarity));
  for (int step = 0; step < steps; ++step) {
    calls.largest_transfer = random() % 4 == 0 ? 1 + random() % 300 : static_cast<std::size_t>(-1);
    const int i = static_cast<int>(random() % static_cast<unsigned>(keys));
    const auto key = sample_key(std::to_string(i));
    const auto payload = payload_of(i);
    if (random() % 64 == 0)
      store.reject(key, {}, payload, "for the test");
    if (random() % 16 == 0)
      store.keep_failure(key, hk::Status(hk::StatusCode::compile_failed, "for the test"));
    if (const auto failure = store.kept_failure(key); failure && failure->message != "for the test")
      return 1;
    const auto entry = store.lookup(key);
    if (entry && (entry->payload != payload || !(entry->key == key)))
      return 2;
    if (!entry)
      store.publish(key, sample_metadata(), payload);
  }
  return 0;
}

} // namespace

TEST_SUITE_BEGIN("cache.network_folder");

TEST_CASE("no locks are taken in a network folder") {
  const Folder folder;
  DiskStore store(folder.path, k_network);
  int locks = 0;
  const InterceptedCalls calls([&](SystemCall call) {
    locks += call == SystemCall::lock ? 1 : 0;
    return 0;
  });
  CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
  CHECK(store.lookup(sample_key()).has_value());
  store.wait_for_turn(hk::cache::TurnOf::build, {}, std::chrono::steady_clock::now(), [] { return false; });
  CHECK(locks == 0);
}

TEST_CASE("the first link wins, also while the winner's name is not visible here yet") {
  for (const int blindness : {ENOENT, ESTALE, EIO}) {
    CAPTURE(blindness);
    const Folder folder;
    folder.publish(100); // by another machine
    DiskStore store(folder.path, k_network);
    const HeardWarnings warnings;
    {
      InterceptedCalls* active = nullptr;
      InterceptedCalls calls(
          [&](SystemCall call) { return call == SystemCall::open && active->path().ends_with(".hk") ? blindness : 0; });
      active = &calls;
      CHECK_FALSE(store.lookup(sample_key()).has_value());
      CHECK(store.publish(sample_key(), {}, sample_payload(200)) == PublishOutcome::already_present);
    }
    CHECK(store.lookup(sample_key())->payload == sample_payload(100));
    CHECK(hk::cache::folder_statistics(folder.path)->temporary_files == 0);
    CHECK(warnings.texts().size() == (blindness == ENOENT ? 0 : 1));
  }
}

TEST_CASE("a winner's entry that is damaged is replaced") {
  const Folder folder;
  folder.publish(100);
  hk::test::write_text(folder.entry, "rubbish");
  DiskStore store(folder.path, k_network);
  CHECK(store.publish(sample_key(), {}, sample_payload(200)) == PublishOutcome::published);
  CHECK(store.lookup(sample_key())->payload == sample_payload(200));
}

TEST_CASE("a link or rename whose answer was lost and that then seems to fail is recognised as ours") {
  for (const bool links : {true, false}) {
    CAPTURE(links);
    const Folder folder;
    DiskStore store(folder.path, k_network);
    const HeardWarnings warnings;
    {
      const InterceptedCalls calls([&](SystemCall call) {
        if (call == SystemCall::link)
          return links ? -EEXIST : EPERM;
        return call == SystemCall::rename ? -ENOENT : 0;
      });
      CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
    }
    CHECK(store.counters().published == 1);
    CHECK(store.lookup(sample_key()).has_value());
    CHECK(hk::cache::folder_statistics(folder.path)->temporary_files == 0);
    CHECK(warnings.texts().empty());
  }
}

TEST_CASE("a folder that went stale while publishing is looked up anew, once") {
  for (const SystemCall victim : {SystemCall::open, SystemCall::write, SystemCall::sync, SystemCall::link}) {
    CAPTURE(static_cast<int>(victim));
    const Folder folder;
    DiskStore store(folder.path, k_network);
    int left = 1;
    {
      const InterceptedCalls calls([&](SystemCall call) { return call == victim && left-- > 0 ? ESTALE : 0; });
      CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
    }
    CHECK(left < 0);
    const InterceptedCalls calls([&](SystemCall call) { return call == victim ? ESTALE : 0; });
    CHECK(store.publish(sample_key("b"), {}, sample_payload()) == PublishOutcome::not_stored);
  }
}

TEST_CASE("errors of cleaning up are nobody's problem") {
  for (const int error : {EBUSY, ESTALE, ENOENT, EIO}) {
    const Folder folder;
    DiskStore store(folder.path, k_network);
    const HeardWarnings warnings;
    const InterceptedCalls calls([&](SystemCall call) { return call == SystemCall::unlink ? error : 0; });
    CHECK(store.publish(sample_key(), {}, sample_payload()) == PublishOutcome::published);
    CHECK(store.lookup(sample_key()).has_value());
    store.reject(sample_key(), {}, sample_payload(), "for the test");
    CHECK(warnings.texts().empty());
  }
}

TEST_CASE("random faults in one process: right bytes or a miss, and once they end everything heals") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Folder folder;
    const unsigned rarity = seed % 3 == 0 ? 3 : 12;
    CHECK(use_folder(folder.path, seed, 6, 60, rarity) == 0);
    DiskStore store(folder.path, k_network);
    for (int i = 0; i < 6; ++i) {
      const auto key = sample_key(std::to_string(i));
      CHECK(store.publish(key, {}, payload_of(i)) != PublishOutcome::not_stored);
      const auto entry = store.lookup(key);
      REQUIRE(entry.has_value());
      CHECK(entry->payload == payload_of(i));
    }
    CHECK(hk::cache::damaged_among(*hk::cache::list_entries(folder.path)).empty());
  }
}

TEST_CASE("random faults in eight processes at once: right bytes or a miss, and no entry is damaged") {
  for (std::uint64_t seed = 100; seed < 106; ++seed) {
    CAPTURE(seed);
    const Folder folder;
    const auto children = hk::test::start_together(8, [&](int process) {
      return use_folder(folder.path, seed * 8 + static_cast<std::uint64_t>(process), 5, 100, 10);
    });
    for (const pid_t child : children)
      CHECK(hk::test::exit_code(child) == 0);
    CHECK(hk::cache::damaged_among(*hk::cache::list_entries(folder.path)).empty());
    DiskStore store(folder.path, k_network);
    for (int i = 0; i < 5; ++i)
      CHECK(store.publish(sample_key(std::to_string(i)), {}, payload_of(i)) != PublishOutcome::not_stored);
  }
}

TEST_SUITE_END();
