#include <array>
#include <csignal>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>

#include "sim/hip/hip_check.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

constexpr std::size_t k_gib = std::size_t{1} << 30;

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  REQUIRE_HIP(hipMemGetInfo(&free, &total));
  return free;
}

hipPointerAttribute_t attributes_of(const void* pointer) {
  hipPointerAttribute_t attributes;
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, pointer));
  return attributes;
}

} // namespace

TEST_CASE("hipMalloc counts exact sizes against the device's memory") {
  const OnDevice on(k_mi300x);
  const std::size_t before = free_memory();
  {
    const DeviceBuffer<char> buffer(1001);
    CHECK(free_memory() == before - 1001);
  }
  CHECK(free_memory() == before);
  void* nothing = &nothing;
  CHECK_HIP(hipMalloc(&nothing, 0));
  CHECK(nothing == nullptr);
  CHECK_HIP(hipFree(nullptr));
}

TEST_CASE("More than the device has is out of memory and leaves the rest usable") {
  const OnDevice on(k_mi300x);
  void* pointer = nullptr;
  CHECK_HIP_IS(hipMalloc(&pointer, 193 * k_gib), hipErrorOutOfMemory);
  CHECK(contains(last_error_text(), "device 0 (mi300x)"));
  CHECK(hipGetLastError() == hipErrorOutOfMemory);
  CHECK(hipGetLastError() == hipSuccess);
  const DeviceBuffer<char> large(190 * k_gib); // demand-zero: costs the host nothing
  CHECK_HIP_IS(hipMalloc(&pointer, 3 * k_gib), hipErrorOutOfMemory);
}

TEST_CASE("Device memory larger than the host's can be filled with zero and read anywhere") {
  const OnDevice on(k_mi355x);
  const DeviceBuffer<char> large(200 * k_gib);
  CHECK_HIP(hipMemset(large.get(), 0, 200 * k_gib));
  char last = 1;
  CHECK_HIP(hipMemcpy(&last, large.get() + 200 * k_gib - 1, 1, hipMemcpyDeviceToHost));
  CHECK(last == 0);
  // Writing all of it would end the process; it is refused instead.
  CHECK_HIP_IS(hipMemset(large.get(), 1, 200 * k_gib), hipErrorOutOfMemory);
  CHECK(contains(last_error_text(), "this host"));
}

TEST_CASE("hipFree wants the start of a live allocation") {
  const OnDevice on;
  int local = 0;
  CHECK_HIP_IS(hipFree(&local), hipErrorInvalidValue);
  void* pointer = nullptr;
  REQUIRE_HIP(hipMalloc(&pointer, 100));
  CHECK_HIP_IS(hipFree(static_cast<char*>(pointer) + 4), hipErrorInvalidValue);
  CHECK(contains(last_error_text(), "is not the start"));
  CHECK_HIP_IS(hipHostFree(pointer), hipErrorInvalidValue);
  CHECK_HIP(hipFree(pointer));
  CHECK_HIP_IS(hipFree(pointer), hipErrorInvalidValue);
  CHECK(contains(last_error_text(), "freed allocation"));
}

TEST_CASE("A host access to a device pointer ends in SIGSEGV") {
  const OnDevice on;
  const DeviceBuffer<int> buffer(std::vector<int>{1, 2, 3});
  for (const bool write : {false, true}) {
    const int status = in_child([&] {
      std::signal(SIGSEGV, SIG_DFL); // without the test framework's handler
      volatile int* pointer = buffer.get();
      if (write)
        *pointer = 5;
      return *pointer == 1 ? 1 : 2;
    });
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGSEGV);
  }
}

TEST_CASE("Copies from freed memory and past an end name the allocation") {
  const OnDevice on;
  std::array<char, 200> host{};
  void* pointer = nullptr;
  REQUIRE_HIP(hipMalloc(&pointer, 100));
  CHECK_HIP_IS(hipMemcpy(host.data(), pointer, 101, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  CHECK(contains(last_error_text(), "run 1 byte past its end"));
  REQUIRE_HIP(hipFree(pointer));
  CHECK_HIP_IS(hipMemcpy(host.data(), pointer, 10, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  CHECK(contains(last_error_text(), "freed allocation"));
}

TEST_CASE("Pinned memory is the host's and the device's") {
  const OnDevice on;
  const PinnedBuffer<int> pinned(1000);
  pinned[999] = 5;
  void* device_pointer = nullptr;
  CHECK_HIP(hipHostGetDevicePointer(&device_pointer, pinned.get(), 0));
  CHECK(device_pointer == pinned.get());
  const hipPointerAttribute_t attributes = attributes_of(pinned.get() + 10);
  CHECK(attributes.type == hipMemoryTypeHost);
  CHECK(attributes.hostPointer == pinned.get() + 10);
  CHECK(attributes.devicePointer == pinned.get() + 10);
  CHECK_HIP_IS(hipFree(pinned.get()), hipErrorInvalidValue);
  unsigned flags = 9;
  CHECK_HIP(hipHostGetFlags(&flags, pinned.get()));
  CHECK(flags == hipHostMallocDefault);
}

TEST_CASE("A pinned buffer is bounded on the host as well: behind its gap lies nothing") {
  const OnDevice on;
  const PinnedBuffer<char> pinned(4096);
  const int status = in_child([&] {
    std::signal(SIGSEGV, SIG_DFL);
    volatile char* past = pinned.get() + 4096;
    return *past;
  });
  CHECK(WIFSIGNALED(status));
}

TEST_CASE("Registered memory is known until it is unregistered") {
  const OnDevice on;
  std::vector<int> host(100);
  const std::size_t bytes = host.size() * sizeof(int);
  CHECK(attributes_of(host.data()).type == hipMemoryTypeUnregistered);
  REQUIRE_HIP(hipHostRegister(host.data(), bytes, hipHostRegisterDefault));
  CHECK_HIP_IS(hipHostRegister(host.data() + 50, bytes / 2, 0), hipErrorHostMemoryAlreadyRegistered);
  CHECK(attributes_of(host.data() + 99).type == hipMemoryTypeHost);
  CHECK_HIP_IS(hipHostUnregister(host.data() + 1), hipErrorHostMemoryNotRegistered);
  CHECK_HIP(hipHostUnregister(host.data()));
  CHECK_HIP_IS(hipHostUnregister(host.data()), hipErrorHostMemoryNotRegistered);
  CHECK(attributes_of(host.data()).type == hipMemoryTypeUnregistered);
  const DeviceBuffer<int> buffer(10);
  CHECK_HIP_IS(hipHostRegister(buffer.get(), 40, 0), hipErrorInvalidValue);
}

TEST_CASE("Pointer attributes and address ranges tell device, start and size") {
  const OnDevice on(k_mi325x);
  const DeviceBuffer<char> buffer(300);
  const hipPointerAttribute_t attributes = attributes_of(buffer.get() + 7);
  CHECK(attributes.type == hipMemoryTypeDevice);
  CHECK(attributes.device == k_mi325x);
  CHECK(attributes.devicePointer == buffer.get() + 7);
  CHECK(attributes.hostPointer == nullptr);
  hipDeviceptr_t base = nullptr;
  std::size_t size = 0;
  CHECK_HIP(hipMemGetAddressRange(&base, &size, buffer.get() + 299));
  CHECK(base == buffer.get());
  CHECK(size == 300);
  CHECK_HIP_IS(hipMemGetAddressRange(&base, &size, buffer.get() + 300), hipErrorNotFound);
}

TEST_CASE("Memory freed on a stream lives until the stream gets there") {
  const OnDevice on;
  const TestStream stream;
  const std::size_t before = free_memory();
  void* pointer = nullptr;
  REQUIRE_HIP(hipMallocAsync(&pointer, 4096, stream));
  {
    Gate gate(stream);
    REQUIRE_HIP(hipMemsetAsync(pointer, 1, 4096, stream));
    REQUIRE_HIP(hipFreeAsync(pointer, stream));
    CHECK(free_memory() == before - 4096);
    gate.open();
  }
  CHECK_HIP(hipStreamSynchronize(stream));
  CHECK(free_memory() == before);
  CHECK_HIP_IS(hipFreeAsync(pointer, stream), hipErrorInvalidValue);
}

TEST_CASE("hipDeviceReset frees what the program left") {
  const OnDevice on(k_mi325x);
  const std::size_t before = free_memory();
  void* pointer = nullptr;
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  REQUIRE_HIP(hipMalloc(&pointer, 12345));
  REQUIRE_HIP(hipStreamCreate(&stream));
  REQUIRE_HIP(hipEventCreate(&event));
  CHECK_HIP(hipDeviceReset());
  CHECK(free_memory() == before);
  CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipEventDestroy(event), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipFree(pointer), hipErrorInvalidValue);
}

TEST_SUITE_END();
