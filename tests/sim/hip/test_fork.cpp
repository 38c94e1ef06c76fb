#include <chrono>
#include <cstdlib>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/hip/hip_check.h"
#include "sim/hip_surface/hksim.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

TEST_CASE("In a forked child every call says that the simulator is not initialised, at once") {
  const OnDevice on;
  const TestStream stream;
  const TestEvent event;
  const DeviceBuffer<int> buffer(std::vector<int>(4, 1));
  Gate gate(stream); // the parent is in the middle of work
  REQUIRE(eventually([&] { return gate.reached(); }));
  const int status = in_child([&] {
    int number = 0;
    void* pointer = nullptr;
    hipStream_t other = nullptr;
    hipModule_t module = nullptr;
    hipGraph_t graph = nullptr;
    hipDeviceProp_t properties;
    const hipError_t results[] = {
        hipInit(0),
        hipGetDeviceCount(&number),
        hipGetDevice(&number),
        hipSetDevice(0),
        hipGetDeviceProperties(&properties, 0),
        hipMalloc(&pointer, 4),
        hipFree(buffer.get()),
        hipHostMalloc(&pointer, 4, 0),
        hipMemcpy(&number, buffer.get(), 4, hipMemcpyDeviceToHost),
        hipMemsetAsync(buffer.get(), 0, 4, stream),
        hipStreamCreate(&other),
        hipStreamSynchronize(stream),
        hipStreamQuery(stream),
        hipStreamDestroy(stream),
        hipStreamWaitEvent(stream, event, 0),
        hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal),
        hipStreamEndCapture(stream, &graph),
        hipEventRecord(event, stream),
        hipEventSynchronize(event),
        hipEventDestroy(event),
        hipDeviceSynchronize(),
        hipDeviceReset(),
        hipModuleLoadData(&module, &number),
        hipLaunchHostFunc(
            stream, [](void*) {}, nullptr),
    };
    for (const hipError_t result : results)
      if (result != hipErrorNotInitialized)
        return 1;
    return contains(last_error_text(), "forked") ? 0 : 2;
  });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  gate.open();
  CHECK_HIP(hipStreamSynchronize(stream));
  CHECK(buffer.read() == std::vector<int>(4, 1));
}

TEST_CASE("A forked child that ends by exit(), with handlers, does not hang") {
  const OnDevice on;
  const TestStream stream;
  Gate gate(stream);
  REQUIRE(eventually([&] { return gate.reached(); }));
  const int status = in_child([]() -> int { std::exit(3); });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
}

TEST_SUITE_END();
