#include <string>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"
#include "sim/profiles/embedded_profiles.h"
#include "sim/profiles/profile.h"

using namespace hk;
using namespace hk::sim;
using hk::sim::testing::contains;

TEST_SUITE_BEGIN("sim_hip");

namespace {

// The embedded text with one line replaced or, if `line` is empty, dropped.
std::string edited(const std::string& key, const std::string& line) {
  std::string text(embedded_profiles()[0].text);
  const std::size_t begin = text.find("\n" + key + " =") + 1;
  REQUIRE(begin != 0);
  const std::size_t end = text.find('\n', begin) + 1;
  return text.replace(begin, end - begin, line.empty() ? "" : line + "\n");
}

std::string refusal(const std::string& text) {
  const Result<Profile> profile = parse_profile("test", text);
  REQUIRE_FALSE(profile.has_value());
  CHECK(profile.error().code == StatusCode::invalid_argument);
  return profile.error().message;
}

} // namespace

TEST_CASE("The shipped profiles carry the vendor's numbers") {
  // rocm.docs.amd.com, "AMD GPU specifications": VRAM (GiB), compute units, LDS (KiB), L2 (MiB, all XCDs).
  struct Row {
    const char* name;
    const char* target;
    std::uint64_t memory_gib, compute_units, lds_kib, l2_mib;
  };
  for (const Row& row : {Row{"mi300x", "gfx942:sramecc+:xnack-", 192, 304, 64, 32},
                         Row{"mi325x", "gfx942:sramecc+:xnack-", 256, 304, 64, 32},
                         Row{"mi355x", "gfx950:sramecc+:xnack-", 288, 256, 160, 32}}) {
    CAPTURE(row.name);
    const Result<Profile> profile = find_profile(row.name);
    REQUIRE(profile.has_value());
    CHECK(profile->target_id == row.target);
    CHECK(profile->memory_bytes == row.memory_gib << 30);
    CHECK(profile->compute_units == row.compute_units);
    CHECK(profile->lds_bytes == row.lds_kib << 10);
    CHECK(profile->l2_bytes_per_xcd * profile->xcds == row.l2_mib << 20);
    CHECK(profile->memory_achieved_gb_per_second < profile->memory_peak_gb_per_second);
    CHECK(profile->digest.size() == 32);
  }
  CHECK(find_profile("mi300x")->digest != find_profile("mi325x")->digest);
}

TEST_CASE("A profile line without a source is refused") {
  CHECK(contains(refusal(edited("xcds", "xcds = 8")), "names no source"));
  CHECK(contains(refusal(edited("xcds", "xcds = 8 #  ")), "names no source"));
}

TEST_CASE("A profile must give every field once, as a positive number") {
  CHECK(contains(refusal(edited("xcds", "")), "'xcds' is missing"));
  CHECK(contains(refusal(edited("target_id", "")), "'target_id' is missing"));
  CHECK(contains(refusal(edited("xcds", "xcds = 8 # A\nxcds = 8 # A")), "'xcds' is given twice"));
  CHECK(contains(refusal(edited("xcds", "xcds = eight # A")), "no positive number"));
  CHECK(contains(refusal(edited("xcds", "xcds = 0 # A")), "no positive number"));
  CHECK(contains(refusal(edited("xcds", "xcds = 8x # A")), "no positive number"));
  CHECK(contains(refusal(edited("xcds", "xcds = 8 # A\ncolour = 3 # A")), "unknown key"));
}

TEST_CASE("The digest follows the text") {
  const Result<Profile> profile = parse_profile("test", edited("xcds", "xcds = 8 # another source"));
  REQUIRE(profile.has_value());
  CHECK(profile->xcds == 8);
  CHECK(profile->digest != find_profile("mi300x")->digest);
}

TEST_CASE("A device list is read by ordinal, and an unknown name is refused") {
  const Result<std::vector<Profile>> two = profiles_of_list("mi355x, mi300x,mi355x");
  REQUIRE(two.has_value());
  REQUIRE(two->size() == 3);
  CHECK((*two)[0].name == "mi355x");
  CHECK((*two)[1].name == "mi300x");
  CHECK(profiles_of_list("")->size() == 3);
  for (const char* list : {"mi300x,mi999", ",", "mi300x,,mi355x"}) {
    CAPTURE(list);
    const Result<std::vector<Profile>> none = profiles_of_list(list);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().code == StatusCode::no_device);
    CHECK(contains(none.error().message, "mi300x, mi325x, mi355x"));
  }
}

TEST_SUITE_END();
