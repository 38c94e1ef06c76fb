#pragma once
// The simulated HIP runtime's own functions, for what the driver interface does not offer: current device, capture.

#include <dlfcn.h>

#include <doctest/doctest.h>

namespace hk::test {

class SimulatedRuntime {
 public:
  SimulatedRuntime() : m_handle(dlopen(HK_SIMULATOR, RTLD_NOW | RTLD_LOCAL)) { REQUIRE(m_handle != nullptr); }
  ~SimulatedRuntime() { dlclose(m_handle); }
  SimulatedRuntime(const SimulatedRuntime&) = delete;
  SimulatedRuntime& operator=(const SimulatedRuntime&) = delete;

  [[nodiscard]] int current_device() const {
    int device = -1;
    REQUIRE(function<int(int*)>("hipGetDevice")(&device) == 0);
    return device;
  }
  void set_current_device(int device) const { REQUIRE(function<int(int)>("hipSetDevice")(device) == 0); }

  // hipStreamCaptureModeGlobal: the strictest.
  void begin_capture(void* stream) const {
    REQUIRE(function<int(void*, int)>("hipStreamBeginCapture")(stream, 0) == 0);
  }
  // The graph; null if the capture was broken.
  [[nodiscard]] void* end_capture(void* stream) const {
    void* graph = nullptr;
    static_cast<void>(function<int(void*, void**)>("hipStreamEndCapture")(stream, &graph));
    return graph;
  }
  void launch_graph(void* graph, void* stream) const {
    void* executable = nullptr;
    REQUIRE(function<int(void**, void*, void**, char*, unsigned long)>("hipGraphInstantiate")(
                &executable, graph, nullptr, nullptr, 0) == 0);
    REQUIRE(function<int(void*, void*)>("hipGraphLaunch")(executable, stream) == 0);
    REQUIRE(function<int(void*)>("hipStreamSynchronize")(stream) == 0);
    REQUIRE(function<int(void*)>("hipGraphExecDestroy")(executable) == 0);
    REQUIRE(function<int(void*)>("hipGraphDestroy")(graph) == 0);
  }
  // Of the kind that the default stream waits for.
  [[nodiscard]] void* create_blocking_stream() const {
    void* stream = nullptr;
    REQUIRE(function<int(void**)>("hipStreamCreate")(&stream) == 0);
    return stream;
  }
  void destroy_stream(void* stream) const { REQUIRE(function<int(void*)>("hipStreamDestroy")(stream) == 0); }
  void launch_host_function(void* stream, void (*body)(void*), void* data) const {
    REQUIRE(function<int(void*, void (*)(void*), void*)>("hipLaunchHostFunc")(stream, body, data) == 0);
  }
  [[nodiscard]] int free(const void* pointer) const { return function<int(const void*)>("hipFree")(pointer); }
  [[nodiscard]] int last_error() const { return function<int()>("hipGetLastError")(); }
  void reset_fault() const { REQUIRE(function<int()>("hksim_reset_fault")() == 0); }

 private:
  template <typename Signature>
  [[nodiscard]] Signature* function(const char* name) const {
    auto* const found = reinterpret_cast<Signature*>(dlsym(m_handle, name));
    REQUIRE_MESSAGE(found != nullptr, name);
    return found;
  }

  void* m_handle;
};

} // namespace hk::test
