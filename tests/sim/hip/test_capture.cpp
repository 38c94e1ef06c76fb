#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

hipStreamCaptureStatus status_of(hipStream_t stream) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  REQUIRE_HIP(hipStreamIsCapturing(stream, &status));
  return status;
}

void begin(hipStream_t stream, hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
  REQUIRE_HIP(hipStreamBeginCapture(stream, mode));
}

// Ends a capture that must be good; returns the number of nodes.
std::size_t end_and_count(hipStream_t stream) {
  hipGraph_t graph = nullptr;
  REQUIRE_HIP(hipStreamEndCapture(stream, &graph));
  std::size_t nodes = 0;
  CHECK_HIP(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK_HIP(hipGraphDestroy(graph));
  return nodes;
}

void end_expecting(hipStream_t stream, hipError_t expected) {
  hipGraph_t graph = reinterpret_cast<hipGraph_t>(1);
  CHECK_HIP_IS(hipStreamEndCapture(stream, &graph), expected);
  CHECK(graph == nullptr);
  CHECK(status_of(stream) == hipStreamCaptureStatusNone);
}

} // namespace

TEST_CASE("Captured work becomes nodes and does not run") {
  const OnDevice on;
  const TestStream stream;
  const DeviceBuffer<int> buffer(std::vector<int>{1});
  begin(stream);
  CHECK(status_of(stream) == hipStreamCaptureStatusActive);
  CHECK_HIP(hipMemsetAsync(buffer.get(), 0, 4, stream));
  CHECK_HIP(hipMemsetD32Async(buffer.get(), 9, 1, stream));
  CHECK(end_and_count(stream) == 2);
  CHECK(status_of(stream) == hipStreamCaptureStatusNone);
  CHECK(buffer.read() == std::vector<int>{1});
}

TEST_CASE("Every capture has an id of its own") {
  const OnDevice on;
  const TestStream stream;
  unsigned long long first = 0;
  unsigned long long second = 0;
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  for (unsigned long long* id : {&first, &second}) {
    begin(stream);
    CHECK_HIP(hipStreamGetCaptureInfo(stream, &status, id));
    CHECK(status == hipStreamCaptureStatusActive);
    CHECK(end_and_count(stream) == 0);
  }
  CHECK(first != 0);
  CHECK(first != second);
}

TEST_CASE("Calls that capture cannot see are refused in global mode and invalidate it") {
  const OnDevice on;
  const TestStream stream;
  const TestStream other;
  std::vector<int> host(4);
  void* pointer = nullptr;
  const auto calls = {
      +[](void** p, int*, hipStream_t) { return hipMalloc(p, 16); },
      +[](void**, int*, hipStream_t) { return hipFree(nullptr); },
      +[](void** p, int*, hipStream_t) { return hipHostMalloc(p, 16, 0); },
      +[](void**, int* h, hipStream_t) { return hipHostRegister(h, 16, 0); },
      +[](void**, int*, hipStream_t) { return hipDeviceSynchronize(); },
      +[](void**, int*, hipStream_t s) { return hipStreamSynchronize(s); },
      +[](void**, int*, hipStream_t s) { return hipStreamQuery(s); },
  };
  for (const auto call : calls) {
    begin(stream);
    CHECK_HIP_IS(call(&pointer, host.data(), other), hipErrorStreamCaptureUnsupported);
    CHECK(status_of(stream) == hipStreamCaptureStatusInvalidated);
    CHECK_HIP_IS(hipLaunchHostFunc(stream, [](void*) {}, nullptr), hipErrorStreamCaptureInvalidated);
    end_expecting(stream, hipErrorStreamCaptureInvalidated);
  }
}

TEST_CASE("Waiting for or asking the captured stream invalidates in every mode") {
  const OnDevice on;
  const TestStream stream;
  for (const hipStreamCaptureMode mode :
       {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed}) {
    begin(stream, mode);
    CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
    end_expecting(stream, hipErrorStreamCaptureInvalidated);
    begin(stream, mode);
    CHECK_HIP_IS(hipStreamQuery(stream), hipErrorStreamCaptureUnsupported);
    end_expecting(stream, hipErrorStreamCaptureInvalidated);
  }
}

TEST_CASE("Synchronous copies and fills are implicit dependencies in every mode") {
  const OnDevice on;
  const TestStream stream;
  const DeviceBuffer<int> buffer(1);
  int value = 0;
  for (const hipStreamCaptureMode mode :
       {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal, hipStreamCaptureModeRelaxed}) {
    begin(stream, mode);
    CHECK_HIP_IS(hipMemcpy(&value, buffer.get(), 4, hipMemcpyDeviceToHost), hipErrorStreamCaptureImplicit);
    end_expecting(stream, hipErrorStreamCaptureInvalidated);
    begin(stream, mode);
    CHECK_HIP_IS(hipMemset(buffer.get(), 0, 4), hipErrorStreamCaptureImplicit);
    end_expecting(stream, hipErrorStreamCaptureInvalidated);
  }
}

TEST_CASE("Work on the null stream endangers captured blocking streams only") {
  const OnDevice on;
  const DeviceBuffer<int> buffer(1);
  const TestStream blocking(hipStreamDefault);
  begin(blocking, hipStreamCaptureModeRelaxed);
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  CHECK_HIP_IS(hipStreamIsCapturing(nullptr, &status), hipErrorStreamCaptureImplicit);
  CHECK(status_of(blocking) == hipStreamCaptureStatusActive); // asking does no harm
  CHECK_HIP_IS(hipMemsetAsync(buffer.get(), 0, 4, nullptr), hipErrorStreamCaptureImplicit);
  end_expecting(blocking, hipErrorStreamCaptureInvalidated);
  const TestStream non_blocking(hipStreamNonBlocking);
  begin(non_blocking, hipStreamCaptureModeRelaxed);
  CHECK_HIP(hipMemsetAsync(buffer.get(), 0, 4, nullptr));
  CHECK(end_and_count(non_blocking) == 0);
}

TEST_CASE("Modes decide whose calls are refused") {
  const OnDevice on;
  const TestStream stream;
  const auto allocate = [] {
    void* pointer = nullptr;
    const hipError_t status = hipMalloc(&pointer, 16);
    if (status == hipSuccess)
      static_cast<void>(hipFree(pointer));
    return status;
  };
  const auto allocate_elsewhere = [&] {
    hipError_t status = hipErrorUnknown;
    std::thread([&] { status = allocate(); }).join();
    return status;
  };
  SUBCASE("global: every thread's") {
    begin(stream, hipStreamCaptureModeGlobal);
    CHECK_HIP_IS(allocate_elsewhere(), hipErrorStreamCaptureUnsupported);
    end_expecting(stream, hipErrorStreamCaptureInvalidated);
  }
  SUBCASE("thread-local: this thread's") {
    begin(stream, hipStreamCaptureModeThreadLocal);
    CHECK_HIP(allocate_elsewhere());
    CHECK(status_of(stream) == hipStreamCaptureStatusActive);
    CHECK_HIP_IS(allocate(), hipErrorStreamCaptureUnsupported);
    end_expecting(stream, hipErrorStreamCaptureInvalidated);
  }
  SUBCASE("relaxed: nobody's") {
    begin(stream, hipStreamCaptureModeRelaxed);
    CHECK_HIP(allocate());
    CHECK_HIP(allocate_elsewhere());
    CHECK(end_and_count(stream) == 0);
  }
  SUBCASE("a thread that made itself relaxed is not refused") {
    begin(stream, hipStreamCaptureModeGlobal);
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    CHECK_HIP(hipThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == hipStreamCaptureModeGlobal);
    CHECK_HIP(allocate());
    CHECK_HIP(hipThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == hipStreamCaptureModeRelaxed);
    CHECK(end_and_count(stream) == 0);
  }
}

TEST_CASE("A capture spreads by an event and must be joined by one") {
  const OnDevice on;
  const TestStream origin;
  const TestStream branch;
  const TestEvent fork;
  const TestEvent join;
  const DeviceBuffer<int> buffer(4);
  const auto spread = [&] {
    begin(origin);
    CHECK_HIP(hipMemsetAsync(buffer.get(), 0, 4, origin));
    CHECK_HIP(hipEventRecord(fork, origin));
    CHECK_HIP(hipStreamWaitEvent(branch, fork, 0));
    CHECK(status_of(branch) == hipStreamCaptureStatusActive);
    CHECK_HIP(hipMemsetAsync(buffer.get() + 1, 0, 4, branch));
  };
  SUBCASE("joined") {
    spread();
    CHECK_HIP(hipEventRecord(join, branch));
    CHECK_HIP(hipStreamWaitEvent(origin, join, 0));
    CHECK(end_and_count(origin) == 2);
    CHECK(status_of(branch) == hipStreamCaptureStatusNone);
  }
  SUBCASE("not joined") {
    spread();
    end_expecting(origin, hipErrorStreamCaptureUnjoined);
    CHECK(status_of(branch) == hipStreamCaptureStatusNone);
  }
  SUBCASE("ended on the wrong stream") {
    spread();
    hipGraph_t graph = nullptr;
    CHECK_HIP_IS(hipStreamEndCapture(branch, &graph), hipErrorStreamCaptureUnmatched);
    end_expecting(origin, hipErrorStreamCaptureUnjoined);
  }
  SUBCASE("a member destroyed") {
    spread();
    hipStream_t third = nullptr;
    REQUIRE_HIP(hipStreamCreateWithFlags(&third, hipStreamNonBlocking));
    CHECK_HIP(hipStreamWaitEvent(third, fork, 0));
    CHECK_HIP(hipStreamDestroy(third));
    end_expecting(origin, hipErrorStreamCaptureInvalidated);
  }
}

TEST_CASE("Captures keep apart from each other and from the world") {
  const OnDevice on;
  const TestStream first;
  const TestStream second;
  const TestEvent event;
  SUBCASE("an event from outside") {
    CHECK_HIP(hipEventRecord(event, second));
    begin(first);
    CHECK_HIP_IS(hipStreamWaitEvent(first, event, 0), hipErrorStreamCaptureIsolation);
    end_expecting(first, hipErrorStreamCaptureInvalidated);
  }
  SUBCASE("an event of another capture") {
    begin(first, hipStreamCaptureModeRelaxed);
    begin(second, hipStreamCaptureModeRelaxed);
    CHECK_HIP(hipEventRecord(event, second));
    CHECK_HIP_IS(hipStreamWaitEvent(first, event, 0), hipErrorStreamCaptureMerge);
    end_expecting(first, hipErrorStreamCaptureInvalidated);
    end_expecting(second, hipErrorStreamCaptureInvalidated);
  }
  SUBCASE("a captured event is no time") {
    begin(first);
    CHECK_HIP(hipEventRecord(event, first));
    CHECK_HIP_IS(hipEventQuery(event), hipErrorCapturedEvent);
    end_expecting(first, hipErrorStreamCaptureInvalidated);
    CHECK_HIP_IS(hipEventSynchronize(event), hipErrorCapturedEvent);
    CHECK_HIP_IS(hipStreamWaitEvent(second, event, 0), hipErrorCapturedEvent);
    CHECK_HIP(hipEventRecord(event, first)); // recorded anew, it is an event again
    CHECK_HIP(hipEventSynchronize(event));
  }
  SUBCASE("the null stream cannot join") {
    begin(first);
    CHECK_HIP(hipEventRecord(event, first));
    CHECK_HIP_IS(hipStreamWaitEvent(nullptr, event, 0), hipErrorStreamCaptureImplicit);
    end_expecting(first, hipErrorStreamCaptureInvalidated);
  }
}

TEST_CASE("Captures begin and end where they may") {
  const OnDevice on;
  const TestStream stream;
  hipGraph_t graph = nullptr;
  CHECK_HIP_IS(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal), hipErrorStreamCaptureUnsupported);
  CHECK_HIP_IS(hipStreamBeginCapture(stream, static_cast<hipStreamCaptureMode>(7)), hipErrorInvalidValue);
  CHECK_HIP_IS(hipStreamEndCapture(stream, &graph), hipErrorIllegalState);
  begin(stream, hipStreamCaptureModeThreadLocal);
  CHECK_HIP_IS(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  hipError_t elsewhere = hipSuccess;
  std::thread([&] { elsewhere = hipStreamEndCapture(stream, &graph); }).join();
  CHECK_HIP_IS(elsewhere, hipErrorStreamCaptureWrongThread);
  CHECK(end_and_count(stream) == 0);
  begin(stream, hipStreamCaptureModeRelaxed);
  std::thread([&] { elsewhere = hipStreamEndCapture(stream, &graph); }).join();
  CHECK_HIP_IS(elsewhere, hipSuccess);
  CHECK_HIP(hipGraphDestroy(graph));
}

TEST_CASE("Callbacks and stream-ordered memory are not captured") {
  const OnDevice on;
  const TestStream stream;
  void* pointer = nullptr;
  begin(stream);
  CHECK_HIP_IS(hipMallocAsync(&pointer, 16, stream), hipErrorStreamCaptureUnsupported);
  CHECK_HIP_IS(hipStreamAddCallback(
                   stream, [](hipStream_t, hipError_t, void*) {}, nullptr, 0),
               hipErrorStreamCaptureUnsupported);
  end_expecting(stream, hipErrorStreamCaptureInvalidated);
}

TEST_SUITE_END();
