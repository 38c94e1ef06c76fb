#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

float elapsed(hipEvent_t start, hipEvent_t stop) {
  float milliseconds = -1.0f;
  REQUIRE_HIP(hipEventElapsedTime(&milliseconds, start, stop));
  return milliseconds;
}

} // namespace

TEST_CASE("Events report the modelled time of the work between them") {
  const OnDevice on(k_mi300x);
  const TestStream stream;
  const TestEvent start;
  const TestEvent stop;
  const std::size_t bytes = 6'400'000;
  const DeviceBuffer<char> device(bytes);
  const PinnedBuffer<char> pinned(bytes);
  CHECK_HIP(hipEventRecord(start, stream));
  CHECK_HIP(hipMemcpyAsync(device.get(), pinned.get(), bytes, hipMemcpyHostToDevice, stream));
  CHECK_HIP(hipEventRecord(stop, stream));
  CHECK_HIP(hipEventSynchronize(stop));
  // 6.4 MB over a link of 64 GB/s (profile) take 0.1 ms.
  CHECK(elapsed(start, stop) == doctest::Approx(0.1).epsilon(1e-6));
}

TEST_CASE("Modelled time is the work's alone: the host may take its time, and repetitions agree") {
  const OnDevice on(k_mi355x);
  const TestStream stream;
  const DeviceBuffer<char> device(65'000'000);
  float first = 0.0f;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const TestEvent start;
    const TestEvent stop;
    CHECK_HIP(hipEventRecord(start, stream));
    CHECK_HIP(hipMemsetAsync(device.get(), 0, 65'000'000, stream));
    if (repetition == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK_HIP(hipEventRecord(stop, stream));
    CHECK_HIP(hipEventSynchronize(stop));
    const float time = elapsed(start, stop);
    // 65 MB written at 6.5 TB/s (profile) take 10 us.
    CHECK(time == doctest::Approx(0.01).epsilon(1e-6));
    first = repetition == 0 ? time : first;
    CHECK(time == doctest::Approx(first).epsilon(1e-4));
  }
}

TEST_CASE("Work after a wait on the host starts after what was waited for") {
  const OnDevice on;
  const TestStream first;
  const TestStream second;
  const TestEvent early;
  const TestEvent late;
  const DeviceBuffer<char> device(1'000'000);
  const PinnedBuffer<char> pinned(1'000'000);
  CHECK_HIP(hipEventRecord(early, first));
  CHECK_HIP(hipMemcpyAsync(device.get(), pinned.get(), 640'000, hipMemcpyHostToDevice, first));
  CHECK_HIP(hipStreamSynchronize(first));
  CHECK_HIP(hipEventRecord(late, second)); // an empty stream, but the host has seen 10 us pass
  CHECK_HIP(hipEventSynchronize(late));
  CHECK(elapsed(early, late) >= 0.00999f);
}

TEST_CASE("An event is not ready before its stream gets there") {
  const OnDevice on;
  const TestStream stream;
  const TestEvent start;
  const TestEvent stop;
  CHECK_HIP(hipEventQuery(stop)); // never recorded
  CHECK_HIP(hipEventRecord(start, stream));
  Gate gate(stream);
  CHECK_HIP(hipEventRecord(stop, stream));
  static_cast<void>(hipGetLastError());
  CHECK_HIP_IS(hipEventQuery(stop), hipErrorNotReady);
  CHECK(hipPeekAtLastError() == hipSuccess); // "not ready" is an answer, not an error
  float milliseconds = 0.0f;
  CHECK_HIP_IS(hipEventElapsedTime(&milliseconds, start, stop), hipErrorNotReady);
  gate.open();
  CHECK_HIP(hipEventSynchronize(stop));
  CHECK_HIP(hipEventQuery(stop));
  CHECK(elapsed(start, stop) == 0.0f); // nothing between them takes modelled time
}

TEST_CASE("Times need two recorded events of one device, made for timing") {
  const OnDevice on(k_mi300x);
  const TestEvent recorded;
  const TestEvent unrecorded;
  const TestEvent untimed(hipEventDisableTiming);
  CHECK_HIP(hipEventRecord(recorded, nullptr));
  CHECK_HIP(hipEventRecord(untimed, nullptr));
  CHECK_HIP(hipSetDevice(k_mi355x));
  const TestEvent foreign;
  CHECK_HIP(hipEventRecord(foreign, nullptr));
  CHECK_HIP(hipEventSynchronize(foreign));
  CHECK_HIP(hipEventSynchronize(untimed));
  float time = 0.0f;
  CHECK_HIP_IS(hipEventElapsedTime(&time, recorded, unrecorded), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipEventElapsedTime(&time, untimed, recorded), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipEventElapsedTime(&time, recorded, foreign), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipEventElapsedTime(nullptr, recorded, recorded), hipErrorInvalidValue);
  CHECK_HIP_IS(hipEventRecord(recorded, nullptr), hipErrorInvalidHandle); // the null stream of another device
}

TEST_CASE("Events that do not exist are refused") {
  const OnDevice on;
  hipEvent_t event = nullptr;
  REQUIRE_HIP(hipEventCreate(&event));
  CHECK_HIP(hipEventDestroy(event));
  CHECK_HIP_IS(hipEventDestroy(event), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipEventRecord(event, nullptr), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipEventSynchronize(nullptr), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipEventCreateWithFlags(&event, 0x400), hipErrorInvalidValue);
}

TEST_SUITE_END();
