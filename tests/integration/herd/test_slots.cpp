// Compiles of all processes of a user on a machine share its worker slots.

#include "herd_fixture.h"

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("slots");

TEST_CASE("slots: six processes with a key each and two slots compile two at a time") {
  HerdFixture fixture;
  fixture.compiler.order("delay 200");
  fixture.variables["HK_JIT_WORKERS"] = "2";
  Herd herd(6, fixture.variables,
            [](int i) { return std::vector<std::string>{"keys=" + std::to_string(1000 + i) + ":1"}; });
  const auto start = std::chrono::steady_clock::now();
  herd.start();
  const auto reports = herd.reports();
  CHECK(since(start) >= std::chrono::milliseconds(600)); // six times 200 ms, two at a time
  CHECK(sum_of(reports, "SUCCESS") == 6);
  CHECK(sum_of(reports, "compiles") == 6);
  fixture.check_nothing_left(6);
}

TEST_CASE("slots: the slot of a killed process is free at once") {
  HerdFixture fixture;
  fixture.compiler.order("delay 20000 first=1");
  fixture.variables["HK_JIT_WORKERS"] = "1";
  Client owner(fixture.variables, {"keys=1000:1"});
  fixture.wait_for_compiles(1);
  Client next(fixture.variables, {"keys=2000:1"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(fixture.compiler.compiles() == 1); // it waits for the slot
  owner.kill();
  const auto start = std::chrono::steady_clock::now();
  CHECK(next.report()["SUCCESS"] == 1);
  CHECK(since(start) < std::chrono::seconds(2));
}

TEST_SUITE_END();
