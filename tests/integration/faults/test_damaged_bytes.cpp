// Entries in which single bytes differ, that end early, or that belong elsewhere, through the whole library: each is
// compiled again or was right, and afterwards the folder is sound.

#include <cstring>
#include <string>
#include <vector>

#include "folder_state.h"
#include "integration/canned_compiler/client_process.h"

using namespace hk;
using namespace hk::test;

namespace {

// HK_EVERY_BYTE=1: one entry for each byte; otherwise for the first 256 and every 16th.
std::vector<std::size_t> places_in(std::size_t bytes) {
  constexpr std::size_t k_head = 256;
  constexpr std::size_t k_stride = 16;
  const bool every = std::getenv("HK_EVERY_BYTE") != nullptr;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < bytes; ++place) {
    if (every || place < k_head || place % k_stride == 5)
      places.push_back(place);
  }
  return places;
}

struct Fixture {
  ScratchFolder scratch;
  std::string folder = scratch / "cache";
  CannedCompiler compiler;
  Variables variables = client_variables(folder, compiler.worker());

  // Kernels whose names have equal lengths, and so have their entries.
  ClientReport ask(std::size_t count) { return run_client(variables, {"keys=10000:" + std::to_string(count)}); }

  std::string only_entry() {
    const auto entries = stored_entries(folder);
    REQUIRE(entries.size() == 1);
    return entries[0];
  }
};

// One entry for each place in an entry, each spoiled at its own place.
template <typename Spoil>
void check_every_place(Spoil&& spoil) {
  Fixture fixture;
  REQUIRE(fixture.ask(1)["compiles"] == 1);
  const auto places = places_in(read_text(fixture.only_entry()).size());
  REQUIRE(fixture.ask(places.size())["SUCCESS"] == places.size());
  const auto entries = stored_entries(fixture.folder);
  REQUIRE(entries.size() == places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::string bytes = read_text(entries[i]);
    spoil(bytes, std::min(places[i], bytes.size() - 1));
    write_text(entries[i], bytes);
  }
  const ClientReport again = fixture.ask(places.size());
  CHECK(again["SUCCESS"] == places.size());
  CHECK(again["compiles"] == places.size()); // a checksum over everything lets none through
  CHECK(again["disk_hits"] == 0);
  check_entries(fixture.folder, places.size());
  CHECK(fixture.ask(places.size())["disk_hits"] == places.size());
}

} // namespace

TEST_SUITE_BEGIN("damaged_bytes");

TEST_CASE("damaged bytes: an entry with any byte flipped is a miss, compiled again and replaced") {
  check_every_place([](std::string& bytes, std::size_t place) {
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << (place % 8)));
  });
}

TEST_CASE("damaged bytes: an entry cut to any length is a miss, compiled again and replaced") {
  check_every_place([](std::string& bytes, std::size_t place) { bytes.resize(place); });
}

TEST_CASE("damaged bytes: two entries that changed their names are two misses, compiled again and replaced") {
  Fixture fixture;
  REQUIRE(fixture.ask(2)["compiles"] == 2);
  const auto entries = stored_entries(fixture.folder);
  const std::string first = read_text(entries[0]);
  write_text(entries[0], read_text(entries[1]));
  write_text(entries[1], first);
  const ClientReport again = fixture.ask(2);
  CHECK(again["SUCCESS"] == 2);
  CHECK(again["compiles"] == 2);
  check_entries(fixture.folder, 2);
}

TEST_CASE("damaged bytes: the entry of another target under the right name is a miss and is replaced") {
  Fixture fixture;
  Fixture other;
  other.variables["HK_DEVICE"] = "null:gfx942";
  REQUIRE(fixture.ask(1)["compiles"] == 1);
  REQUIRE(other.ask(1)["compiles"] == 1);
  check_entries(other.folder, 1); // a code object of gfx942
  write_text(fixture.only_entry(), read_text(other.only_entry()));
  const ClientReport again = fixture.ask(1);
  CHECK(again["SUCCESS"] == 1);
  CHECK(again["compiles"] == 1);
  check_entries(fixture.folder, 1);
}

TEST_CASE("damaged bytes: an entry of a future format is a miss; what is stored in its place is found") {
  Fixture fixture;
  REQUIRE(fixture.ask(1)["compiles"] == 1);
  std::string bytes = read_text(fixture.only_entry());
  constexpr std::size_t k_version_offset = 8; // docs/CACHE.md
  const std::uint32_t version = 77;
  std::memcpy(bytes.data() + k_version_offset, &version, sizeof(version));
  write_text(fixture.only_entry(), bytes);
  const ClientReport again = fixture.ask(1);
  CHECK(again["SUCCESS"] == 1);
  CHECK(again["compiles"] == 1);
  check_entries(fixture.folder, 1);
  CHECK(fixture.ask(1)["disk_hits"] == 1);
}

TEST_SUITE_END();
