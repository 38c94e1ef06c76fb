// What becomes of those who wait when the process that compiles dies, stops or hangs.

#include <signal.h>

#include "herd_fixture.h"

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("owners");

TEST_CASE("owners: when the owner is killed, the next one takes over at once, and the others have its kernel") {
  HerdFixture fixture;
  fixture.compiler.order("delay 20000 first=1");
  Client owner(fixture.variables, {"keys=1000:1"});
  fixture.wait_for_compiles(1);
  Herd waiting(4, fixture.variables, {"keys=1000:1"});
  waiting.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(fixture.compiler.compiles() == 1); // they wait
  owner.kill();
  const auto start = std::chrono::steady_clock::now();
  const auto reports = waiting.reports();
  CHECK(since(start) < std::chrono::seconds(2));
  CHECK(sum_of(reports, "SUCCESS") == 4);
  CHECK(sum_of(reports, "compiles") == 1);
  CHECK(sum_of(reports, "disk_hits") == 3);
  CHECK(fixture.compiler.compiles() == 2);
  check_entries(fixture.folder, 1);
  CHECK(left_temporaries(fixture.folder).empty());
  check_no_lock(fixture.folder);
}

TEST_CASE("owners: when the owner's compile hangs, it has its timeout, and then the others get on") {
  HerdFixture fixture;
  fixture.compiler.order("hang first=1");
  fixture.variables["HK_COMPILE_TIMEOUT_MS"] = "1000";
  Client owner(fixture.variables, {"keys=1000:1"});
  fixture.wait_for_compiles(1);
  const auto start = std::chrono::steady_clock::now();
  Herd waiting(4, fixture.variables, {"keys=1000:1"});
  waiting.start();
  const auto reports = waiting.reports();
  CHECK(since(start) < std::chrono::seconds(5));
  CHECK(owner.report()["COMPILE_TIMEOUT"] == 1);
  CHECK(sum_of(reports, "SUCCESS") == 4);
  CHECK(sum_of(reports, "compiles") == 1);
  fixture.check_nothing_left(1);
}

TEST_CASE(
    "owners: when the owner stops for good, those who wait do so for the limit of a compile and 5 s, not longer") {
  HerdFixture fixture;
  fixture.compiler.order("delay 500 first=1");
  fixture.variables["HK_COMPILE_TIMEOUT_MS"] = "1000";
  Client owner(fixture.variables, {"keys=1000:1"});
  fixture.wait_for_compiles(1);
  REQUIRE(::kill(owner.pid(), SIGSTOP) == 0);
  const auto start = std::chrono::steady_clock::now();
  Herd waiting(3, fixture.variables, {"keys=1000:1"});
  waiting.start();
  const auto reports = waiting.reports();
  const auto waited = since(start);
  CHECK(waited > std::chrono::milliseconds(5500));
  CHECK(waited < std::chrono::seconds(12));
  CHECK(sum_of(reports, "SUCCESS") == 3);
  CHECK(sum_of(reports, "compiles") >= 1);
  // The folder has the kernel now although the owner still sleeps on its lock: nobody else waits.
  const auto next = std::chrono::steady_clock::now();
  CHECK(run_client(fixture.variables, {"keys=1000:1"})["disk_hits"] == 1);
  CHECK(since(next) < std::chrono::seconds(1));
  owner.kill();
  CHECK(owner.wait_for(k_herd_patience).has_value());
  check_entries(fixture.folder, 1);
  check_no_lock(fixture.folder);
}

TEST_CASE("owners: who waits for one key does not keep anybody from another") {
  HerdFixture fixture;
  fixture.compiler.order("delay 20000 symbol=k1000");
  Client slow(fixture.variables, {"keys=1000:1"});
  fixture.wait_for_compiles(1);
  Client waiting(fixture.variables, {"keys=1000:1"});
  const auto start = std::chrono::steady_clock::now();
  const ClientReport other = run_client(fixture.variables, {"keys=2000:8", "threads=2"});
  CHECK(since(start) < std::chrono::seconds(3));
  CHECK(other["SUCCESS"] == 16);
  CHECK(other["compiles"] == 8);
  CHECK(other["waited"] == 0);
  slow.kill();
  waiting.kill();
}

TEST_CASE("owners: threads of one process that want other keys do not wait for the one that waits") {
  HerdFixture fixture;
  fixture.compiler.order("delay 1500 symbol=k1000");
  Client slow(fixture.variables, {"keys=1000:1"});
  fixture.wait_for_compiles(1);
  // In order, and the first key is the slow one: two of four threads begin elsewhere.
  const ClientReport report = run_client(fixture.variables, {"keys=1000:6", "threads=4", "seed=3"});
  CHECK(report["SUCCESS"] == 24);
  CHECK(report["compiles"] == 5);
  CHECK(report["disk_hits"] == 1);
  CHECK(slow.report()["compiles"] == 1);
  fixture.check_nothing_left(6);
}

TEST_SUITE_END();
