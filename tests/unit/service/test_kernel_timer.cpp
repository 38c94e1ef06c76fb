// The timer of launches, on a device that shows times of our choice.
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "device/null/null_driver.h"
#include "service/kernel_timer.h"

TEST_SUITE_BEGIN("service");

using hk::service::KernelTimer;

namespace {

// Its clock stands still but for what a test queues.
class SteppedDriver final : public hk::device::NullDriver {
 public:
  SteppedDriver() : NullDriver("null", "gfx950") {}
  hk::Status record(hk::device::Event event, hk::device::Stream stream) override {
    times[event] = now;
    streams.push_back(stream);
    return {};
  }
  hk::Result<double> elapsed(hk::device::Event start, hk::device::Event stop) override {
    return times.at(stop) - times.at(start);
  }
  hk::Status destroy_stream(hk::device::Stream stream) override {
    ++destroyed;
    return NullDriver::destroy_stream(stream);
  }
  hk::Status destroy_event(hk::device::Event event) override {
    ++destroyed;
    return NullDriver::destroy_event(event);
  }

  double now = 100;
  int destroyed = 0;
  std::map<hk::device::Event, double> times;
  std::vector<hk::device::Stream> streams;
};

} // namespace

TEST_CASE("service.kernel_timer: device time of what was queued, on a stream of its own, and nothing is left") {
  SteppedDriver driver;
  {
    const auto timer = KernelTimer::create(driver);
    REQUIRE(timer);
    hk::device::Stream used = nullptr;
    const auto queue = [&](hk::device::Stream stream) -> hk::Status {
      used = stream;
      driver.now += 12.5;
      return {};
    };
    for (int i = 0; i < 2; ++i) {
      const auto time = (*timer)->measure(queue);
      REQUIRE(time);
      CHECK(*time == 12.5);
    }
    CHECK(used != nullptr);
    CHECK(driver.streams == std::vector<hk::device::Stream>(4, used));
    const auto failed = (*timer)->measure(
        [](hk::device::Stream) { return hk::Status(hk::StatusCode::launch_failed, "the device refuses"); });
    REQUIRE_FALSE(failed);
    CHECK(failed.error().message == "the device refuses");
  }
  CHECK(driver.destroyed == 3);
}

TEST_SUITE_END();
