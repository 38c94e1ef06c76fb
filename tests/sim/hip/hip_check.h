#pragma once
// Calls of the HIP API in tests, and handles that clean up.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <hip/hip_runtime_api.h>

namespace hk::sim::testing {

// hksim_last_error and hksim_last_fault as strings; the fault is that of the thread's current device.
std::string last_error_text();
std::string last_fault_text();
std::string last_fault_text(int device);
std::string name_of(hipError_t error);
bool contains(const std::string& text, const std::string& part);

// The call must give this result; on failure the simulator's sentence is shown.
#define CHECK_HIP_IS(call, expected)                                                                                   \
  do {                                                                                                                 \
    const hipError_t hk_status = (call);                                                                               \
    INFO("last error: ", ::hk::sim::testing::last_error_text());                                                       \
    CHECK(::hk::sim::testing::name_of(hk_status) == ::hk::sim::testing::name_of(expected));                            \
  } while (false)
#define CHECK_HIP(call) CHECK_HIP_IS(call, hipSuccess)
#define REQUIRE_HIP(call)                                                                                              \
  do {                                                                                                                 \
    const hipError_t hk_status = (call);                                                                               \
    INFO("last error: ", ::hk::sim::testing::last_error_text());                                                       \
    REQUIRE(::hk::sim::testing::name_of(hk_status) == "hipSuccess");                                                   \
  } while (false)

// The test devices by profile; HK_SIM_DEVICES is unset in tests.
constexpr int k_mi300x = 0;
constexpr int k_mi325x = 1;
constexpr int k_mi355x = 2;

// Selects a device for the length of a test and leaves no fault behind.
class OnDevice {
 public:
  explicit OnDevice(int ordinal = k_mi300x);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
};

template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t count) : m_count(count) {
    void* pointer = nullptr;
    REQUIRE_HIP(hipMalloc(&pointer, count * sizeof(T)));
    m_pointer = static_cast<T*>(pointer);
  }
  explicit DeviceBuffer(const std::vector<T>& values) : DeviceBuffer(values.size()) {
    REQUIRE_HIP(hipMemcpy(m_pointer, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  ~DeviceBuffer() { static_cast<void>(hipFree(m_pointer)); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  [[nodiscard]] T* get() const { return m_pointer; }
  [[nodiscard]] std::vector<T> read() const {
    std::vector<T> values(m_count);
    REQUIRE_HIP(hipMemcpy(values.data(), m_pointer, m_count * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t m_count;
  T* m_pointer = nullptr;
};

template <typename T>
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t count) {
    void* pointer = nullptr;
    REQUIRE_HIP(hipHostMalloc(&pointer, count * sizeof(T), hipHostMallocDefault));
    m_pointer = static_cast<T*>(pointer);
  }
  ~PinnedBuffer() { static_cast<void>(hipHostFree(m_pointer)); }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  [[nodiscard]] T* get() const { return m_pointer; }
  T& operator[](std::size_t i) const { return m_pointer[i]; }

 private:
  T* m_pointer = nullptr;
};

class TestStream {
 public:
  explicit TestStream(unsigned flags = hipStreamNonBlocking);
  ~TestStream();
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;
  operator hipStream_t() const { return m_stream; } // NOLINT: stands for its handle

 private:
  hipStream_t m_stream = nullptr;
};

class TestEvent {
 public:
  explicit TestEvent(unsigned flags = hipEventDefault);
  ~TestEvent();
  TestEvent(const TestEvent&) = delete;
  TestEvent& operator=(const TestEvent&) = delete;
  operator hipEvent_t() const { return m_event; } // NOLINT: stands for its handle

 private:
  hipEvent_t m_event = nullptr;
};

// Holds a stream: what is queued behind it does not run until open().
class Gate {
 public:
  explicit Gate(hipStream_t stream);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void open();
  // Whether the stream has arrived at the gate.
  [[nodiscard]] bool reached() const { return m_reached.load(); }

 private:
  static void wait(void* self);

  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_open = false;
  std::atomic<bool> m_reached{false};
  std::atomic<bool> m_left{false};
};

// Waits up to 5 s for a condition.
bool eventually(const std::function<bool()>& condition);

// Runs the body in a forked child; returns its wait status. The body's result is the exit code.
int in_child(const std::function<int()>& body);

} // namespace hk::sim::testing
