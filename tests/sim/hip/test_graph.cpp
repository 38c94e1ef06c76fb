#include <vector>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"
#include "sim/hip/kernels.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

class TestGraph {
 public:
  // Ends the capture of the stream.
  explicit TestGraph(hipStream_t stream) {
    hipGraph_t graph = nullptr;
    REQUIRE_HIP(hipStreamEndCapture(stream, &graph));
    REQUIRE_HIP(hipGraphInstantiate(&m_executable, graph, nullptr, nullptr, 0));
    CHECK_HIP(hipGraphDestroy(graph)); // the executable graph is a copy
  }
  ~TestGraph() { CHECK_HIP(hipGraphExecDestroy(m_executable)); }
  TestGraph(const TestGraph&) = delete;
  TestGraph& operator=(const TestGraph&) = delete;
  operator hipGraphExec_t() const { return m_executable; } // NOLINT: stands for its handle

 private:
  hipGraphExec_t m_executable = nullptr;
};

} // namespace

TEST_CASE("A graph is replayed with the data of the moment") {
  const OnDevice on;
  const TestStream stream;
  const PinnedBuffer<int> input(4);
  const PinnedBuffer<int> output(4);
  const DeviceBuffer<int> device(4);
  REQUIRE_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK_HIP(hipMemcpyAsync(device.get(), input.get(), 16, hipMemcpyHostToDevice, stream));
  CHECK_HIP(hipMemsetD32Async(device.get() + 3, 77, 1, stream));
  CHECK_HIP(hipMemcpyAsync(output.get(), device.get(), 16, hipMemcpyDeviceToHost, stream));
  const TestGraph graph(stream);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i)
      input[i] = 10 * round + i;
    CHECK_HIP(hipGraphLaunch(graph, stream));
    CHECK_HIP(hipStreamSynchronize(stream));
    for (int i = 0; i < 3; ++i)
      CHECK(output[i] == 10 * round + i);
    CHECK(output[3] == 77);
  }
}

TEST_CASE("Branches of a graph run before their join") {
  const OnDevice on;
  const TestStream origin;
  const TestStream branch;
  const TestEvent fork;
  const TestEvent join;
  const DeviceBuffer<int> device(2);
  const PinnedBuffer<int> output(2);
  REQUIRE_HIP(hipStreamBeginCapture(origin, hipStreamCaptureModeGlobal));
  CHECK_HIP(hipEventRecord(fork, origin));
  CHECK_HIP(hipStreamWaitEvent(branch, fork, 0));
  CHECK_HIP(hipMemsetD32Async(device.get(), 5, 1, branch));
  CHECK_HIP(hipMemsetD32Async(device.get() + 1, 6, 1, origin));
  CHECK_HIP(hipEventRecord(join, branch));
  CHECK_HIP(hipStreamWaitEvent(origin, join, 0));
  CHECK_HIP(hipMemcpyAsync(output.get(), device.get(), 8, hipMemcpyDeviceToHost, origin));
  const TestGraph graph(origin);
  CHECK_HIP(hipGraphLaunch(graph, branch)); // any stream of the device
  CHECK_HIP(hipStreamSynchronize(branch));
  CHECK(output[0] == 5);
  CHECK(output[1] == 6);
}

TEST_CASE("On the modelled clock, branches of a graph overlap and its end is that of the last node") {
  const OnDevice on(k_mi300x);
  const TestStream origin;
  const TestStream branch;
  const TestEvent fork;
  const TestEvent join;
  const TestEvent start;
  const TestEvent stop;
  const std::size_t bytes = 640'000; // 10 us over the link, in either direction
  const DeviceBuffer<char> in(bytes);
  const DeviceBuffer<char> out(bytes);
  const PinnedBuffer<char> host_in(bytes);
  const PinnedBuffer<char> host_out(bytes);
  REQUIRE_HIP(hipStreamBeginCapture(origin, hipStreamCaptureModeGlobal));
  CHECK_HIP(hipEventRecord(fork, origin));
  CHECK_HIP(hipStreamWaitEvent(branch, fork, 0));
  CHECK_HIP(hipMemcpyAsync(in.get(), host_in.get(), bytes, hipMemcpyHostToDevice, origin));
  CHECK_HIP(hipMemcpyAsync(host_out.get(), out.get(), bytes, hipMemcpyDeviceToHost, branch));
  CHECK_HIP(hipEventRecord(join, branch));
  CHECK_HIP(hipStreamWaitEvent(origin, join, 0));
  const TestGraph graph(origin);
  CHECK_HIP(hipEventRecord(start, origin));
  CHECK_HIP(hipGraphLaunch(graph, origin));
  CHECK_HIP(hipEventRecord(stop, origin));
  CHECK_HIP(hipStreamSynchronize(origin));
  float milliseconds = 0.0f;
  CHECK_HIP(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds == doctest::Approx(0.01).epsilon(1e-4));
}

TEST_CASE("A graph launched into a capture becomes part of it") {
  const OnDevice on;
  const TestStream stream;
  const DeviceBuffer<int> device(2);
  REQUIRE_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK_HIP(hipMemsetD32Async(device.get(), 1, 2, stream));
  const TestGraph inner(stream);
  REQUIRE_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK_HIP(hipMemsetD32Async(device.get(), 9, 2, stream));
  CHECK_HIP(hipGraphLaunch(inner, stream));
  CHECK_HIP(hipMemsetD32Async(device.get() + 1, 2, 1, stream));
  const TestGraph outer(stream);
  CHECK_HIP(hipGraphLaunch(outer, stream));
  CHECK_HIP(hipStreamSynchronize(stream));
  CHECK(device.read() == std::vector<int>{1, 2});
}

TEST_CASE("Kernel nodes keep a copy of their arguments and see changed data") {
  const OnDevice on;
  const TestModule module;
  if (!module.loaded())
    return;
  const TestStream stream;
  const DeviceBuffer<int> values(std::vector<int>(100, 0));
  int* pointer = values.get();
  int count = 60;
  REQUIRE_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK_HIP(launch(module.function("add_one"), 2, 64, 0, stream, {&pointer, &count}));
  const TestGraph graph(stream);
  pointer = nullptr;
  count = 100;
  for (int round = 0; round < 3; ++round)
    CHECK_HIP(hipGraphLaunch(graph, stream));
  CHECK_HIP(hipStreamSynchronize(stream));
  std::vector<int> expected(100, 0);
  for (int i = 0; i < 60; ++i)
    expected[static_cast<std::size_t>(i)] = 3;
  CHECK(values.read() == expected);
}

TEST_CASE("A graph whose module was unloaded faults when it is launched") {
  const OnDevice on;
  const TestStream stream;
  const DeviceBuffer<int> values(64);
  int* pointer = values.get();
  int count = 64;
  {
    const TestModule module;
    if (!module.loaded())
      return;
    REQUIRE_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    CHECK_HIP(launch(module.function("add_one"), 1, 64, 0, stream, {&pointer, &count}));
  }
  const TestGraph graph(stream);
  CHECK_HIP(hipGraphLaunch(graph, stream));
  CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorLaunchFailure);
  CHECK(contains(last_fault_text(), "unloaded"));
}

TEST_CASE("A graph whose memory was freed faults when it is launched") {
  const OnDevice on;
  const TestStream stream;
  void* pointer = nullptr;
  REQUIRE_HIP(hipMalloc(&pointer, 64));
  REQUIRE_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK_HIP(hipMemsetAsync(pointer, 0, 64, stream));
  const TestGraph graph(stream);
  CHECK_HIP(hipFree(pointer));
  CHECK_HIP(hipGraphLaunch(graph, stream));
  CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorIllegalAddress);
}

TEST_CASE("Graphs that do not exist or belong to another device are refused") {
  const OnDevice on(k_mi300x);
  const TestStream stream;
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  REQUIRE_HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  REQUIRE_HIP(hipStreamEndCapture(stream, &graph));
  REQUIRE_HIP(hipGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK_HIP(hipGraphLaunch(executable, stream)); // an empty graph
  CHECK_HIP(hipSetDevice(k_mi355x));
  CHECK_HIP_IS(hipGraphLaunch(executable, nullptr), hipErrorInvalidValue);
  CHECK_HIP(hipGraphExecDestroy(executable));
  CHECK_HIP_IS(hipGraphExecDestroy(executable), hipErrorInvalidValue);
  CHECK_HIP_IS(hipGraphLaunch(executable, stream), hipErrorInvalidValue);
  CHECK_HIP(hipGraphDestroy(graph));
  CHECK_HIP_IS(hipGraphDestroy(graph), hipErrorInvalidValue);
  CHECK_HIP_IS(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipErrorInvalidValue);
}

TEST_SUITE_END();
