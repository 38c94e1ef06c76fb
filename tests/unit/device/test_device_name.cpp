#include <doctest/doctest.h>

#include <string>

#include "device/device_name.h"

TEST_SUITE_BEGIN("device");

using hk::StatusCode;
using hk::device::DeviceKind;
using hk::device::parse_device_name;

TEST_CASE("device.device_name: names and what they mean") {
  CHECK(parse_device_name("hip:3")->kind == DeviceKind::hip);
  CHECK(parse_device_name("hip:3")->ordinal == 3);
  CHECK(parse_device_name("sim:mi325x")->kind == DeviceKind::simulated);
  CHECK(parse_device_name("sim:mi325x")->profile == "mi325x");
  CHECK(parse_device_name("null")->kind == DeviceKind::null);
  CHECK(parse_device_name("null")->processor == "gfx950");
  CHECK(parse_device_name("null:gfx942")->processor == "gfx942");
  CHECK(parse_device_name("cuda:2")->kind == DeviceKind::cuda);
  CHECK(parse_device_name("cuda:2")->ordinal == 2);
  CHECK(parse_device_name("null:sm_90")->processor == "sm_90");
  for (const char* text : {"hip:0", "cuda:0", "null:sm_80", "sim:mi300x", "null", "null:gfx942"})
    CHECK(parse_device_name(text)->to_string() == text);
}

TEST_CASE("device.device_name: no name is the first real GPU, never a simulated one") {
  const auto name = parse_device_name("");
  REQUIRE(name);
  CHECK(name->kind == DeviceKind::hip);
  CHECK(name->ordinal == 0);
}

TEST_CASE("device.device_name: anything else is refused with what is accepted") {
  for (const char* text : {"hip", "hip:", "hip:-1", "hip:+1", "hip:1 ", "hip:99999999999999", "cuda", "cuda:", "cuda:x",
                           "sim", "sim:", "sim:mi250", "SIM:mi300x", "gpu:0", ":", "null:gfx90a", "nul"}) {
    CAPTURE(text);
    const auto name = parse_device_name(text);
    REQUIRE(!name);
    CHECK(name.error().code == StatusCode::invalid_argument);
    CHECK(name.error().message.find(std::string("\"") + text + "\"") != std::string::npos);
    CHECK(name.error().message.find("hip:N") != std::string::npos);
  }
}

TEST_SUITE_END();
