#include <atomic>
#include <deque>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

// Numbers in the order in which host functions ran.
class Order {
 public:
  void note_on(hipStream_t stream, int number) {
    m_notes.push_back({this, number});
    REQUIRE_HIP(hipLaunchHostFunc(stream, note, &m_notes.back()));
  }
  std::vector<int> seen() {
    const std::lock_guard lock(m_mutex);
    return m_seen;
  }

 private:
  struct Note {
    Order* order;
    int number;
  };
  static void note(void* data) {
    const Note& entry = *static_cast<Note*>(data);
    const std::lock_guard lock(entry.order->m_mutex);
    entry.order->m_seen.push_back(entry.number);
  }

  std::mutex m_mutex;
  std::vector<int> m_seen;
  std::deque<Note> m_notes;
};

} // namespace

TEST_CASE("A stream does its work in order") {
  const OnDevice on;
  const TestStream stream;
  Order order;
  for (int i = 0; i < 50; ++i)
    order.note_on(stream, i);
  CHECK_HIP(hipStreamSynchronize(stream));
  std::vector<int> expected;
  for (int i = 0; i < 50; ++i)
    expected.push_back(i);
  CHECK(order.seen() == expected);
}

TEST_CASE("Streams do not wait for each other") {
  const OnDevice on;
  const TestStream held;
  const TestStream other;
  Gate gate(held);
  Order order;
  order.note_on(other, 1);
  CHECK_HIP(hipStreamSynchronize(other));
  CHECK(order.seen() == std::vector<int>{1});
  CHECK_HIP_IS(hipStreamQuery(held), hipErrorNotReady);
  CHECK_HIP(hipStreamQuery(other));
}

TEST_CASE("The null stream waits for blocking streams, and they for it") {
  const OnDevice on;
  const TestStream blocking(hipStreamDefault);
  const TestStream other_blocking(hipStreamDefault);
  const TestStream non_blocking(hipStreamNonBlocking);
  Order order;
  {
    Gate gate(blocking);
    order.note_on(nullptr, 1);        // behind the gate
    order.note_on(other_blocking, 2); // behind the null stream
    order.note_on(non_blocking, 0);   // free
    CHECK_HIP(hipStreamSynchronize(non_blocking));
    CHECK(order.seen() == std::vector<int>{0});
    CHECK_HIP_IS(hipStreamQuery(nullptr), hipErrorNotReady);
    CHECK_HIP_IS(hipStreamQuery(other_blocking), hipErrorNotReady);
    gate.open();
  }
  CHECK_HIP(hipDeviceSynchronize());
  CHECK(order.seen() == std::vector<int>{0, 1, 2});
}

TEST_CASE("hipStreamLegacy is the null stream, hipStreamPerThread one per thread") {
  const OnDevice on;
  Order order;
  {
    Gate gate(hipStreamPerThread);
    order.note_on(hipStreamLegacy, 1); // behind this thread's stream, which is a blocking one
    std::thread([&] {
      order.note_on(hipStreamPerThread, 2); // behind the legacy stream
      CHECK_HIP_IS(hipStreamQuery(hipStreamPerThread), hipErrorNotReady);
    }).join();
    CHECK(order.seen().empty());
    gate.open();
  }
  CHECK_HIP(hipDeviceSynchronize());
  CHECK(order.seen() == std::vector<int>{1, 2});
  CHECK_HIP_IS(hipStreamDestroy(hipStreamPerThread), hipErrorInvalidHandle);
}

TEST_CASE("Waiting for an event orders two streams") {
  const OnDevice on;
  const TestStream first;
  const TestStream second;
  const TestEvent event(hipEventDisableTiming);
  Order order;
  {
    Gate gate(first);
    order.note_on(first, 1);
    CHECK_HIP(hipEventRecord(event, first));
    CHECK_HIP(hipStreamWaitEvent(second, event, 0));
    order.note_on(second, 2);
    order.note_on(first, 3); // behind the record: the second stream need not wait for it
    CHECK_HIP_IS(hipStreamQuery(second), hipErrorNotReady);
    CHECK(order.seen().empty());
    gate.open();
  }
  CHECK_HIP(hipDeviceSynchronize());
  const std::vector<int> seen = order.seen();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0] == 1);
}

TEST_CASE("Waiting for an event takes the record of that moment") {
  const OnDevice on;
  const TestStream first;
  const TestStream second;
  const TestEvent event;
  CHECK_HIP(hipStreamWaitEvent(second, event, 0)); // never recorded: nothing to wait for
  CHECK_HIP(hipEventRecord(event, first));
  CHECK_HIP(hipStreamWaitEvent(second, event, 0));
  Gate gate(first);
  CHECK_HIP(hipEventRecord(event, first)); // a later record does not matter to the wait above
  CHECK_HIP(hipStreamSynchronize(second));
}

TEST_CASE("Events order streams of different devices") {
  const OnDevice on(k_mi300x);
  const TestStream first;
  const TestEvent event;
  CHECK_HIP(hipSetDevice(k_mi355x));
  const TestStream second;
  Order order;
  Gate gate(first);
  order.note_on(first, 1);
  CHECK_HIP(hipEventRecord(event, first));
  CHECK_HIP(hipStreamWaitEvent(second, event, 0));
  order.note_on(second, 2);
  gate.open();
  CHECK_HIP(hipStreamSynchronize(second));
  CHECK(order.seen() == std::vector<int>{1, 2});
}

TEST_CASE("A callback gets its stream, success and its data") {
  const OnDevice on;
  const TestStream stream;
  struct Seen {
    hipStream_t stream = nullptr;
    hipError_t status = hipErrorUnknown;
    std::thread::id thread;
  } seen;
  const auto callback = [](hipStream_t called, hipError_t status, void* data) {
    *static_cast<Seen*>(data) = {called, status, std::this_thread::get_id()};
  };
  CHECK_HIP(hipStreamAddCallback(stream, callback, &seen, 0));
  CHECK_HIP(hipStreamSynchronize(stream));
  CHECK(seen.stream == stream);
  CHECK(seen.status == hipSuccess);
  CHECK(seen.thread != std::this_thread::get_id());
  CHECK_HIP_IS(hipStreamAddCallback(stream, callback, nullptr, 1), hipErrorInvalidValue);
}

TEST_CASE("A host function that waits for the device is refused instead of hanging") {
  const OnDevice on;
  const TestStream stream;
  struct Calls {
    hipStream_t stream = nullptr;
    hipError_t synchronize = hipSuccess, device = hipSuccess, copy = hipSuccess, destroy = hipSuccess,
               query = hipSuccess;
    void* memory = nullptr;
  };
  const DeviceBuffer<int> buffer(1);
  Calls calls;
  calls.stream = stream;
  calls.memory = buffer.get();
  const auto function = [](void* data) {
    Calls& made = *static_cast<Calls*>(data);
    int value = 0;
    made.synchronize = hipStreamSynchronize(made.stream);
    made.device = hipDeviceSynchronize();
    made.copy = hipMemcpy(&value, made.memory, 4, hipMemcpyDeviceToHost);
    made.destroy = hipStreamDestroy(made.stream);
    made.query = hipStreamQuery(made.stream);
  };
  CHECK_HIP(hipLaunchHostFunc(stream, function, &calls));
  CHECK_HIP(hipStreamSynchronize(stream));
  CHECK_HIP_IS(calls.synchronize, hipErrorNotSupported);
  CHECK_HIP_IS(calls.device, hipErrorNotSupported);
  CHECK_HIP_IS(calls.copy, hipErrorNotSupported);
  CHECK_HIP_IS(calls.destroy, hipErrorNotSupported);
  CHECK_HIP_IS(calls.query, hipErrorNotReady); // asking is allowed
}

TEST_CASE("An exception in a host function stops the device, not the process") {
  const OnDevice on;
  const TestStream stream;
  CHECK_HIP(hipLaunchHostFunc(stream, [](void*) { throw std::runtime_error("thrown by a host function"); }, nullptr));
  CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorLaunchFailure);
  CHECK(contains(last_fault_text(), "thrown by a host function"));
}

TEST_CASE("Flags, priority and device of a stream can be asked for") {
  const OnDevice on(k_mi325x);
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, -5));
  unsigned flags = 9;
  int priority = 9;
  int least = 0;
  int greatest = 0;
  hipDevice_t device = 9;
  CHECK_HIP(hipStreamGetFlags(stream, &flags));
  CHECK_HIP(hipStreamGetPriority(stream, &priority));
  CHECK_HIP(hipStreamGetDevice(stream, &device));
  CHECK_HIP(hipDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(flags == hipStreamNonBlocking);
  CHECK(priority == greatest); // clamped
  CHECK(least > greatest);
  CHECK(device == k_mi325x);
  CHECK_HIP(hipStreamDestroy(stream));
  CHECK_HIP_IS(hipStreamCreateWithFlags(&stream, 8), hipErrorInvalidValue);
}

TEST_CASE("A destroyed stream has done its work, and its handle is no stream any more") {
  const OnDevice on;
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreate(&stream));
  Order order;
  for (int i = 0; i < 10; ++i)
    order.note_on(stream, i);
  CHECK_HIP(hipStreamDestroy(stream));
  CHECK(order.seen().size() == 10);
  CHECK_HIP_IS(hipStreamDestroy(stream), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipStreamDestroy(nullptr), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipStreamSynchronize(reinterpret_cast<hipStream_t>(0x1234560)), hipErrorInvalidHandle);
}

TEST_CASE("A thousand streams can be made, used and destroyed") {
  const OnDevice on;
  std::vector<hipStream_t> streams(1000);
  for (hipStream_t& stream : streams)
    REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(std::set<hipStream_t>(streams.begin(), streams.end()).size() == 1000);
  std::atomic<int> calls{0};
  const auto count = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
  for (std::size_t i = 0; i < streams.size(); i += 10)
    REQUIRE_HIP(hipLaunchHostFunc(streams[i], count, &calls));
  for (hipStream_t stream : streams)
    REQUIRE_HIP(hipStreamDestroy(stream));
  CHECK(calls.load() == 100);
}

TEST_SUITE_END();
