#include <doctest/doctest.h>

#include "device/open_device.h"

TEST_SUITE_BEGIN("device");

TEST_CASE("device.null: looks like a supported GPU, keeps bytes, runs nothing") {
  const auto opened = hk::device::open_device({"null", {}, {}});
  REQUIRE(opened);
  hk::device::Driver& driver = **opened;
  CHECK(driver.info().target == "gfx950:sramecc+:xnack-");
  CHECK(!driver.info().simulated);
  const auto memory = driver.allocate(4);
  REQUIRE(memory);
  const int sent = 42;
  int received = 0;
  CHECK(driver.copy(*memory, &sent, sizeof(sent), nullptr).ok());
  CHECK(driver.copy(&received, *memory, sizeof(sent), nullptr).ok());
  CHECK(received == 42);
  CHECK(driver.free(*memory).ok());
  const auto start = driver.create_event();
  const auto stop = driver.create_event();
  REQUIRE(start);
  REQUIRE(stop);
  CHECK(driver.record(*start, nullptr).ok());
  CHECK(driver.record(*stop, nullptr).ok());
  CHECK(*driver.elapsed(*start, *stop) >= 0);
  CHECK(driver.destroy_event(*start).ok());
  CHECK(driver.destroy_event(*stop).ok());
  CHECK(!driver.load({}, "empty"));
}

TEST_SUITE_END();
