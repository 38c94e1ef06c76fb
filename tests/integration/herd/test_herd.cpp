// One key, many processes, all at once: one compile, and the others have the same kernel from the folder.

#include "herd_fixture.h"

using namespace hk;
using namespace hk::test;

namespace {

int herd_size() {
  const char* size = std::getenv("HK_HERD_PROCESSES");
  return size != nullptr ? std::atoi(size) : 40;
}

// A cold herd of `processes` with `threads` each, which want one key.
void check_herd(HerdFixture& fixture, int processes, int threads) {
  Herd herd(processes, fixture.variables, {"keys=1000:1", "threads=" + std::to_string(threads)});
  herd.start();
  const auto reports = herd.reports();
  const auto calls = static_cast<std::uint64_t>(processes) * static_cast<std::uint64_t>(threads);
  CHECK(sum_of(reports, "SUCCESS") == calls);
  CHECK(sum_of(reports, "launches") == calls);
  CHECK(sum_of(reports, "compiles") == 1); // the one answer that says miss
  CHECK(sum_of(reports, "disk_hits") == static_cast<std::uint64_t>(processes) - 1);
  CHECK(sum_of(reports, "memory_hits") + sum_of(reports, "joined") == calls - static_cast<std::uint64_t>(processes));
  CHECK(sum_of(reports, "waited") >= 1);
  CHECK(sum_of(reports, "failures") == 0);
  for (const ClientReport& report : reports)
    CHECK(report.exit.success());
  fixture.check_nothing_left(1);
}

} // namespace

TEST_SUITE_BEGIN("herd");

TEST_CASE("herd: 8 processes of 8 threads, cold, with a compile of 200 ms: one compile, one miss, nothing left") {
  HerdFixture fixture;
  fixture.compiler.order("delay 200");
  check_herd(fixture, 8, 8);
  CHECK(fixture.compiler.compiles() == 1);
}

TEST_CASE("herd: 8 processes of 8 threads with a compile of 1 ms, ten times: one compile each time") {
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    HerdFixture fixture;
    Herd herd(8, fixture.variables, {"keys=1000:1", "threads=8"});
    herd.start();
    const auto reports = herd.reports();
    CHECK(sum_of(reports, "SUCCESS") == 64);
    CHECK(sum_of(reports, "compiles") == 1);
    CHECK(fixture.compiler.compiles() == 1);
    fixture.check_nothing_left(1);
  }
}

TEST_CASE("herd: many processes (40; 200 if slow) with one key: one compile") {
  HerdFixture fixture;
  fixture.compiler.order("delay 200");
  check_herd(fixture, herd_size(), 1);
  CHECK(fixture.compiler.compiles() == 1);
}

TEST_CASE("herd: 8 processes of 4 threads with 30 keys in orders of their own: one compile for each key") {
  HerdFixture fixture;
  fixture.compiler.order("delay 2");
  Herd herd(8, fixture.variables,
            [](int i) { return std::vector<std::string>{"keys=1000:30", "threads=4", "seed=" + std::to_string(i)}; });
  herd.start();
  const auto reports = herd.reports();
  CHECK(sum_of(reports, "SUCCESS") == 8 * 4 * 30);
  CHECK(sum_of(reports, "compiles") == 30);
  CHECK(sum_of(reports, "disk_hits") == 7 * 30);
  CHECK(fixture.compiler.compiles() == 30);
  fixture.check_nothing_left(30);
}

TEST_CASE("herd: a kernel that does not compile is tried once for all, and every caller has the compiler's log") {
  HerdFixture fixture;
  fixture.compiler.order("refuse");
  for (int wave = 0; wave < 2; ++wave) { // the second finds the failure kept
    Herd herd(8, fixture.variables, {"keys=1000:1", "threads=4"});
    herd.start();
    const auto reports = herd.reports();
    CHECK(sum_of(reports, "COMPILE_FAILED") == 32);
    CHECK(sum_of(reports, "logs") == 32);
    CHECK(fixture.compiler.compiles() == 1);
    CHECK(sum_of(reports, "kept_failures") > 0);
    fixture.check_nothing_left(0);
  }
}

TEST_CASE("herd: 4 processes of 2 threads with the real compiler: one compile") {
  HerdFixture fixture;
  fixture.variables.erase("HK_COMPILE_WORKER");
  Herd herd(4, fixture.variables, {"keys=1000:1", "threads=2"});
  herd.start();
  const auto reports = herd.reports();
  CHECK(sum_of(reports, "SUCCESS") == 8);
  CHECK(sum_of(reports, "compiles") == 1);
  CHECK(sum_of(reports, "disk_hits") == 3);
  CHECK(stored_entries(fixture.folder).size() == 1);
  CHECK(left_temporaries(fixture.folder).empty());
  check_no_lock(fixture.folder);
}

TEST_SUITE_END();
