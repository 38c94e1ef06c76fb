#include "sim/hip/hip_check.h"

#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

#include "sim/hip_surface/hksim.h"

namespace hk::sim::testing {
namespace {

template <typename Function>
std::string text_of(Function&& function) {
  std::string text(function(nullptr, 0), '\0');
  function(text.data(), text.size() + 1);
  return text;
}

} // namespace

std::string last_error_text() {
  return text_of(hksim_last_error);
}

std::string last_fault_text(int device) {
  return text_of([device](char* text, std::size_t size) { return hksim_last_fault(device, text, size); });
}

std::string last_fault_text() {
  int device = 0;
  CHECK(hipGetDevice(&device) == hipSuccess);
  return last_fault_text(device);
}

std::string name_of(hipError_t error) {
  return hipGetErrorName(error);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

OnDevice::OnDevice(int ordinal) {
  REQUIRE_HIP(hipSetDevice(ordinal));
}

OnDevice::~OnDevice() {
  CHECK(hksim_reset_fault() == 0);
  CHECK_HIP(hipSetDevice(k_mi300x));
  static_cast<void>(hipGetLastError());
}

TestStream::TestStream(unsigned flags) {
  REQUIRE_HIP(hipStreamCreateWithFlags(&m_stream, flags));
}

TestStream::~TestStream() {
  CHECK_HIP(hipStreamDestroy(m_stream));
}

TestEvent::TestEvent(unsigned flags) {
  REQUIRE_HIP(hipEventCreateWithFlags(&m_event, flags));
}

TestEvent::~TestEvent() {
  CHECK_HIP(hipEventDestroy(m_event));
}

Gate::Gate(hipStream_t stream) {
  REQUIRE_HIP(hipLaunchHostFunc(stream, wait, this));
}

Gate::~Gate() {
  open();
  // The stream's thread must not touch the gate any more.
  CHECK(eventually([this] { return m_left.load(); }));
}

void Gate::open() {
  {
    const std::lock_guard lock(m_mutex);
    m_open = true;
  }
  m_changed.notify_all();
}

void Gate::wait(void* self) {
  Gate& gate = *static_cast<Gate*>(self);
  gate.m_reached.store(true);
  {
    std::unique_lock lock(gate.m_mutex);
    gate.m_changed.wait(lock, [&] { return gate.m_open; });
  }
  gate.m_left.store(true);
}

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20); // a hang must fail the test, not stop it
    _exit(body());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

} // namespace hk::sim::testing
