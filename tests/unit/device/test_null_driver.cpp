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

TEST_CASE("device.null: stale and invented handles are refused") {
  const auto opened = hk::device::open_device({"null", {}, {}});
  REQUIRE(opened);
  hk::device::Driver& driver = **opened;
  int ours = 0;
  CHECK(driver.free(&ours).code == hk::StatusCode::invalid_argument);
  const auto memory = driver.allocate(16);
  REQUIRE(memory);
  CHECK(driver.free(*memory).ok());
  CHECK(driver.free(*memory).code == hk::StatusCode::invalid_argument);
  CHECK(driver.destroy_stream(&ours).code == hk::StatusCode::invalid_argument);
  const auto stream = driver.create_stream();
  REQUIRE(stream);
  CHECK(driver.destroy_stream(*stream).ok());
  CHECK(driver.destroy_stream(*stream).code == hk::StatusCode::invalid_argument);
  CHECK(driver.record(&ours, nullptr).code == hk::StatusCode::invalid_argument);
  CHECK(!driver.elapsed(&ours, &ours));
  const auto event = driver.create_event();
  REQUIRE(event);
  CHECK(driver.destroy_event(*event).ok());
  CHECK(driver.destroy_event(*event).code == hk::StatusCode::invalid_argument);
}

TEST_SUITE_END();
