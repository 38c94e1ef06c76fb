#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

std::vector<int> counting(int first, std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

} // namespace

TEST_CASE("Every copy direction moves the bytes") {
  const OnDevice on;
  const std::vector<int> source = counting(5, 1000);
  const std::size_t bytes = source.size() * sizeof(int);
  const DeviceBuffer<int> first(1000);
  const DeviceBuffer<int> second(1000);
  std::vector<int> result(1000);
  CHECK_HIP(hipMemcpyHtoD(first.get(), const_cast<int*>(source.data()), bytes));
  CHECK_HIP(hipMemcpyDtoD(second.get(), first.get(), bytes));
  CHECK_HIP(hipMemcpyDtoH(result.data(), second.get(), bytes));
  CHECK(result == source);
  std::vector<int> copied(1000);
  CHECK_HIP(hipMemcpy(copied.data(), result.data(), bytes, hipMemcpyHostToHost));
  CHECK(copied == source);
}

TEST_CASE("hipMemcpyDefault finds out where the pointers point") {
  const OnDevice on;
  const std::vector<int> source = counting(-7, 100);
  const DeviceBuffer<int> device(100);
  const PinnedBuffer<int> pinned(100);
  std::vector<int> result(100);
  CHECK_HIP(hipMemcpy(device.get(), source.data(), 400, hipMemcpyDefault));
  CHECK_HIP(hipMemcpy(pinned.get(), device.get(), 400, hipMemcpyDefault));
  CHECK_HIP(hipMemcpy(result.data(), pinned.get(), 400, hipMemcpyDefault));
  CHECK(result == source);
}

TEST_CASE("A copy kind that denies where the memory lies is refused") {
  const OnDevice on;
  std::vector<int> host(10);
  const DeviceBuffer<int> device(10);
  const DeviceBuffer<int> other(10);
  const auto direction = hipErrorInvalidMemcpyDirection;
  CHECK_HIP_IS(hipMemcpy(device.get(), host.data(), 40, hipMemcpyDeviceToHost), direction);
  CHECK_HIP_IS(hipMemcpy(host.data(), device.get(), 40, hipMemcpyHostToDevice), direction);
  CHECK_HIP_IS(hipMemcpy(device.get(), host.data(), 40, hipMemcpyDeviceToDevice), direction);
  CHECK_HIP_IS(hipMemcpy(host.data(), device.get(), 40, hipMemcpyHostToHost), direction);
  CHECK_HIP_IS(hipMemcpy(device.get(), other.get(), 40, hipMemcpyHostToDevice), direction);
  CHECK_HIP_IS(hipMemcpy(device.get(), host.data(), 40, static_cast<hipMemcpyKind>(77)), direction);
  CHECK(contains(last_error_text(), "77"));
}

TEST_CASE("Copies and fills stay inside of live allocations, to the byte") {
  const OnDevice on;
  std::vector<char> host(200);
  const DeviceBuffer<char> device(100);
  CHECK_HIP(hipMemcpy(device.get() + 40, host.data(), 60, hipMemcpyHostToDevice));
  CHECK_HIP_IS(hipMemcpy(device.get() + 40, host.data(), 61, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_HIP_IS(hipMemcpy(device.get() - 1, host.data(), 2, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_HIP_IS(hipMemcpyAsync(device.get() + 100, host.data(), 1, hipMemcpyHostToDevice, nullptr),
               hipErrorInvalidValue);
  CHECK_HIP_IS(hipMemset(device.get() + 1, 0, 100), hipErrorInvalidValue);
  CHECK_HIP_IS(hipMemsetD32(device.get(), 0, 26), hipErrorInvalidValue);
  CHECK_HIP_IS(hipMemsetD32(device.get(), 0, ~std::size_t{0} / 2), hipErrorInvalidValue);
  CHECK_HIP_IS(hipMemset(host.data(), 0, 10), hipErrorInvalidValue);
  CHECK_HIP_IS(hipMemcpy(device.get(), nullptr, 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_HIP(hipMemcpy(device.get(), nullptr, 0, hipMemcpyHostToDevice));
}

TEST_CASE("Fills of 1, 2 and 4 bytes") {
  const OnDevice on;
  const DeviceBuffer<std::uint8_t> buffer(std::vector<std::uint8_t>(16, 0xee));
  CHECK_HIP(hipMemsetD8(buffer.get(), 0x11, 3));
  CHECK_HIP(hipMemsetD16(buffer.get() + 4, 0x2233, 2));
  CHECK_HIP(hipMemsetD32(buffer.get() + 8, 0x44556677, 1));
  CHECK_HIP(hipMemset(buffer.get() + 12, 0x1ff, 2)); // the low byte counts
  CHECK(buffer.read() == std::vector<std::uint8_t>{0x11, 0x11, 0x11, 0xee, 0x33, 0x22, 0x33, 0x22, 0x77, 0x66, 0x55,
                                                   0x44, 0xff, 0xff, 0xee, 0xee});
}

TEST_CASE("A zero fill that gives pages back touches nothing beside them") {
  const OnDevice on;
  const std::size_t size = 50'000;
  const DeviceBuffer<std::uint8_t> buffer(std::vector<std::uint8_t>(size, 0xee));
  CHECK_HIP(hipMemset(buffer.get() + 1000, 0, 40'000));
  const std::vector<std::uint8_t> bytes = buffer.read();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < size; ++i)
    wrong += bytes[i] != (i >= 1000 && i < 41'000 ? 0 : 0xee);
  CHECK(wrong == 0);
}

TEST_CASE("Copies between devices need no peer access") {
  const std::vector<int> source = counting(3, 50);
  const OnDevice on(k_mi300x);
  const DeviceBuffer<int> here(source);
  CHECK_HIP(hipSetDevice(k_mi355x));
  const DeviceBuffer<int> there(50);
  CHECK_HIP(hipMemcpy(there.get(), here.get(), 200, hipMemcpyDeviceToDevice));
  CHECK(there.read() == source);
}

TEST_CASE("A copy from pinned memory is asynchronous: it reads when the stream gets there") {
  const OnDevice on;
  const TestStream stream;
  const PinnedBuffer<int> pinned(1);
  const DeviceBuffer<int> device(1);
  pinned[0] = 1;
  Gate gate(stream);
  CHECK_HIP(hipMemcpyAsync(device.get(), pinned.get(), 4, hipMemcpyHostToDevice, stream));
  CHECK_HIP_IS(hipStreamQuery(stream), hipErrorNotReady);
  pinned[0] = 2; // a race in the program, and the simulator shows it
  gate.open();
  CHECK_HIP(hipStreamSynchronize(stream));
  CHECK(device.read() == std::vector<int>{2});
}

TEST_CASE("A copy from pageable memory has read its source when the call returns") {
  const OnDevice on;
  const TestStream stream;
  const DeviceBuffer<int> device(1);
  int source = 7;
  CHECK_HIP(hipMemcpyAsync(device.get(), &source, 4, hipMemcpyHostToDevice, stream));
  source = 8;
  CHECK_HIP(hipStreamSynchronize(stream));
  CHECK(device.read() == std::vector<int>{7});
  int result = 0;
  CHECK_HIP(hipMemcpyWithStream(&result, device.get(), 4, hipMemcpyDeviceToHost, stream));
  CHECK(result == 7);
}

TEST_CASE("Memory that goes before a queued copy runs is an illegal address, not a crash") {
  const OnDevice on;
  const TestStream stream;
  const TestStream other;
  const PinnedBuffer<int> pinned(1);
  void* pointer = nullptr;
  REQUIRE_HIP(hipMalloc(&pointer, 4));
  {
    Gate gate(stream);
    CHECK_HIP(hipMemcpyAsync(pinned.get(), pointer, 4, hipMemcpyDeviceToHost, stream));
    CHECK_HIP(hipFreeAsync(pointer, other)); // ordered on the wrong stream
    CHECK_HIP(hipStreamSynchronize(other));
    gate.open();
  }
  CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorIllegalAddress);
  CHECK(contains(last_fault_text(), "freed allocation"));
}

TEST_SUITE_END();
