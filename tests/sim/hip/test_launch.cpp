#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"
#include "sim/hip/kernels.h"
#include "sim/hip_surface/hksim.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

constexpr int k_count = 1000;

std::vector<float> ramp(float start) {
  std::vector<float> values(k_count);
  std::iota(values.begin(), values.end(), start);
  return values;
}

} // namespace

TEST_CASE("A vector add compiled by hipRTC runs on an MI300X, an MI325X and an MI355X") {
  for (const int device : {k_mi300x, k_mi325x, k_mi355x}) {
    CAPTURE(device);
    const OnDevice on(device);
    const TestModule module;
    if (!module.loaded())
      return;
    const TestStream stream;
    const DeviceBuffer<float> a(ramp(0.5f));
    const DeviceBuffer<float> b(ramp(1000.0f));
    const DeviceBuffer<float> c(std::vector<float>(k_count + 24, -1.0f));
    float* pointers[3] = {a.get(), b.get(), c.get()};
    int count = k_count;
    CHECK_HIP(
        launch(module.function("vector_add"), 8, 128, 0, stream, {&pointers[0], &pointers[1], &pointers[2], &count}));
    CHECK_HIP(hipStreamSynchronize(stream));
    const std::vector<float> result = c.read();
    int wrong = 0;
    for (int i = 0; i < k_count + 24; ++i)
      wrong += result[static_cast<std::size_t>(i)] != (i < k_count ? 1000.5f + 2.0f * static_cast<float>(i) : -1.0f);
    CHECK(wrong == 0);
  }
}

TEST_CASE("Arguments may come as a buffer") {
  const OnDevice on;
  const TestModule module;
  if (!module.loaded())
    return;
  struct Arguments {
    int* values;
    int count;
  };
  const DeviceBuffer<int> values(std::vector<int>(64, 5));
  Arguments arguments{values.get(), 64};
  std::size_t size = 12; // without the structure's padding: the end of the last argument
  std::array<void*, 5> extra = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                                HIP_LAUNCH_PARAM_END};
  const hipFunction_t function = module.function("add_one");
  const auto run = [&] {
    return hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra.data());
  };
  CHECK_HIP(run());
  CHECK(values.read() == std::vector<int>(64, 6));
  size = 11;
  CHECK_HIP_IS(run(), hipErrorInvalidValue);
  size = 100'000;
  CHECK_HIP_IS(run(), hipErrorInvalidValue);
  size = sizeof arguments;
  CHECK_HIP(run());
  extra[0] = reinterpret_cast<void*>(77);
  CHECK_HIP_IS(run(), hipErrorInvalidValue);
  CHECK_HIP_IS(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidValue);
  CHECK(values.read() == std::vector<int>(64, 7));
}

TEST_CASE("Hidden arguments tell the kernel its grid and block") {
  const OnDevice on;
  const TestModule module;
  if (!module.loaded())
    return;
  const DeviceBuffer<unsigned> out(24);
  unsigned* pointer = out.get();
  std::array<void*, 1> arguments = {&pointer};
  CHECK_HIP(
      hipModuleLaunchKernel(module.function("grid_facts"), 4, 3, 2, 8, 4, 2, 0, nullptr, arguments.data(), nullptr));
  CHECK(out.read() == std::vector<unsigned>(24, 4030214));
}

TEST_CASE("Dynamic LDS is as large as the launch says, up to the device's") {
  for (const int device : {k_mi300x, k_mi355x}) {
    CAPTURE(device);
    const OnDevice on(device);
    const TestModule module;
    if (!module.loaded())
      return;
    std::vector<int> input(512);
    std::iota(input.begin(), input.end(), 0);
    const DeviceBuffer<int> in(input);
    const DeviceBuffer<int> out(512);
    const int* source = in.get();
    int* destination = out.get();
    const hipFunction_t function = module.function("reverse_block");
    CHECK_HIP(launch(function, 2, 256, 1024, nullptr, {&source, &destination}));
    std::vector<int> expected(512);
    for (int i = 0; i < 512; ++i)
      expected[static_cast<std::size_t>(i)] = i / 256 * 256 + 255 - i % 256;
    CHECK(out.read() == expected);
    const unsigned limit = device == k_mi355x ? 163840 : 65536;
    CHECK_HIP(launch(function, 2, 256, limit, nullptr, {&source, &destination}));
    CHECK_HIP_IS(launch(function, 2, 256, limit + 1, nullptr, {&source, &destination}), hipErrorInvalidValue);
    CHECK(contains(last_error_text(), std::to_string(limit)));
    CHECK_HIP(hipDeviceSynchronize());
    int value = 0;
    CHECK_HIP(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    CHECK(value == static_cast<int>(limit));
    CHECK_HIP(hipFuncSetAttribute(function, hipFuncAttributeMaxDynamicSharedMemorySize, value));
    CHECK_HIP_IS(hipFuncSetAttribute(function, hipFuncAttributeMaxDynamicSharedMemorySize, value + 1),
                 hipErrorInvalidValue);
    int host_function = 0;
    CHECK_HIP_IS(hipFuncSetAttribute(&host_function, hipFuncAttributeMaxDynamicSharedMemorySize, 0),
                 hipErrorInvalidDeviceFunction);
  }
}

TEST_CASE("Launch limits are those of hardware and HIP") {
  const OnDevice on;
  const TestModule module;
  if (!module.loaded())
    return;
  const DeviceBuffer<int> buffer(1024);
  int* pointer = buffer.get();
  int count = 0;
  std::array<void*, 2> arguments = {&pointer, &count};
  const hipFunction_t function = module.function("add_one");
  const auto run = [&](std::array<unsigned, 3> grid, std::array<unsigned, 3> block) {
    return hipModuleLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, nullptr,
                                 arguments.data(), nullptr);
  };
  CHECK_HIP_IS(run({0, 1, 1}, {64, 1, 1}), hipErrorInvalidValue);
  CHECK_HIP_IS(run({1, 0, 1}, {64, 1, 1}), hipErrorInvalidValue);
  CHECK_HIP_IS(run({1, 1, 1}, {64, 0, 1}), hipErrorInvalidConfiguration);
  CHECK_HIP_IS(run({1, 1, 1}, {1025, 1, 1}), hipErrorInvalidValue);
  CHECK_HIP_IS(run({1, 1, 1}, {32, 33, 1}), hipErrorInvalidValue);
  CHECK_HIP_IS(run({1, 1, 1}, {65536, 65536, 1}), hipErrorInvalidValue);           // 2^32 must not wrap to 0
  CHECK_HIP_IS(run({8'388'608, 1, 1}, {512, 1, 1}), hipErrorInvalidConfiguration); // 2^32 work-items
  CHECK_HIP_IS(run({0x80000000, 1, 1}, {1, 1, 1}), hipErrorInvalidValue);
  CHECK_HIP_IS(run({1, 65537, 1}, {1, 1, 1}), hipErrorInvalidValue);
  CHECK_HIP_IS(run({1, 1, 65537}, {1, 1, 1}), hipErrorInvalidValue);
  CHECK_HIP(run({1, 1, 1}, {1024, 1, 1}));
  CHECK_HIP_IS(launch(module.function("bounded"), 1, 129, 0, nullptr, {&pointer}), hipErrorLaunchFailure);
  CHECK(contains(last_error_text(), "launch bounds"));
  CHECK_HIP(launch(module.function("bounded"), 1, 128, 0, nullptr, {&pointer}));
  CHECK_HIP(hipDeviceSynchronize()); // refused launches leave no fault behind
  CHECK_HIP(hipSetDevice(k_mi325x));
  CHECK_HIP_IS(run({1, 1, 1}, {64, 1, 1}), hipErrorInvalidHandle); // loaded on another device
}

TEST_CASE("Attributes and occupancy follow the kernel's resources") {
  const OnDevice on(k_mi300x);
  const TestModule module;
  if (!module.loaded())
    return;
  int value = 0;
  CHECK_HIP(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, module.function("bounded")));
  CHECK(value == 128);
  CHECK_HIP(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, module.function("bounded")));
  CHECK(value == 0);
  CHECK_HIP(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, module.function("bounded")));
  CHECK(value == 0);
  CHECK_HIP(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, module.function("bounded")));
  CHECK(value > 0);
  CHECK(value < 64);
  const hipFunction_t function = module.function("reverse_block");
  int blocks = 0;
  // 4 SIMDs x 8 waves hold 8 blocks of 4 waves; with 20000 bytes of LDS each, 65536 bytes hold 3.
  CHECK_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 1024));
  CHECK(blocks == 8);
  CHECK_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 20'000));
  CHECK(blocks == 3);
  CHECK_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 70'000));
  CHECK(blocks == 0);
  CHECK_HIP_IS(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 0, 0), hipErrorInvalidValue);
}

TEST_CASE("A store out of bounds is a fault that names kernel, workgroup, wave, lane, address and allocation") {
  for (const int device : {k_mi300x, k_mi355x}) {
    CAPTURE(device);
    const OnDevice on(device);
    const TestModule module;
    if (!module.loaded())
      return;
    const DeviceBuffer<int> buffer(16);
    int* pointer = buffer.get();
    int group = 2;
    int distance = 16 + 3;
    const TestStream stream;
    CHECK_HIP(launch(module.function("store_behind"), 4, 64, 0, stream, {&pointer, &group, &distance}));
    CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorIllegalAddress);
    const std::string text = last_fault_text();
    INFO(text);
    CHECK(contains(text, "store_behind"));
    CHECK(contains(text, "workgroup (2,0,0)"));
    CHECK(contains(text, "wave 0"));
    CHECK(contains(text, "lane 5"));
    CHECK(contains(text, "global_store"));
    CHECK(contains(text, "12 bytes past the end of allocation"));
    CHECK(contains(text, "64 bytes (hipMalloc #"));
  }
}

TEST_CASE("Kernels may not write a module's constants") {
  const OnDevice on;
  const TestModule module;
  if (!module.loaded())
    return;
  const DeviceBuffer<int> buffer(1);
  int* pointer = buffer.get();
  CHECK_HIP(launch(module.function("write_constant"), 1, 1, 0, nullptr, {&pointer}));
  CHECK_HIP_IS(hipDeviceSynchronize(), hipErrorIllegalAddress);
  const std::string text = last_fault_text();
  INFO(text);
  CHECK(contains(text, "read-only memory"));
}

TEST_CASE("A fault sticks to its device until it is reset, and queued work behind it is lost") {
  const OnDevice on(k_mi300x);
  const TestModule module;
  if (!module.loaded())
    return;
  const DeviceBuffer<int> buffer(std::vector<int>(64, 1));
  int* pointer = buffer.get();
  int group = 0;
  int distance = 1 << 20;
  int count = 64;
  int value = 0;
  {
    const TestStream stream;
    CHECK_HIP(launch(module.function("store_behind"), 1, 64, 0, stream, {&pointer, &group, &distance}));
    static_cast<void>(launch(module.function("add_one"), 1, 64, 0, stream, {&pointer, &count}));
    CHECK_HIP_IS(hipStreamSynchronize(stream), hipErrorIllegalAddress);
    CHECK_HIP_IS(hipDeviceSynchronize(), hipErrorIllegalAddress);
    CHECK_HIP_IS(hipStreamQuery(stream), hipErrorIllegalAddress);
    CHECK_HIP_IS(hipMemcpy(&value, pointer, 4, hipMemcpyDeviceToHost), hipErrorIllegalAddress);
    CHECK_HIP_IS(launch(module.function("add_one"), 1, 64, 0, stream, {&pointer, &count}), hipErrorIllegalAddress);
    void* more = nullptr;
    hipModule_t another = nullptr;
    hipStream_t other = nullptr;
    CHECK_HIP_IS(hipMalloc(&more, 4), hipErrorIllegalAddress);
    CHECK_HIP_IS(hipStreamCreate(&other), hipErrorIllegalAddress);
    CHECK_HIP_IS(hipModuleLoadData(&another, test_kernels("gfx942:sramecc+:xnack-")->data()), hipErrorIllegalAddress);
    CHECK(hipGetLastError() == hipErrorIllegalAddress);
    CHECK(contains(last_error_text(), "store_behind"));
    CHECK_HIP(hipSetDevice(k_mi355x)); // other devices work on
    CHECK_HIP(hipDeviceSynchronize());
    CHECK(last_fault_text().empty());
    CHECK(contains(last_fault_text(k_mi300x), "store_behind"));
    CHECK(last_fault_text(k_mi325x).empty());
    CHECK(last_fault_text(7).empty());
    CHECK(last_fault_text(-1).empty());
    CHECK_HIP(hipSetDevice(k_mi300x));
  }
  CHECK_FALSE(last_fault_text().empty());
  CHECK(hksim_reset_fault() == 0);
  CHECK(last_fault_text().empty());
  CHECK(buffer.read() == std::vector<int>(64, 1));
  CHECK_HIP(launch(module.function("add_one"), 1, 64, 0, nullptr, {&pointer, &count}));
  CHECK(buffer.read() == std::vector<int>(64, 2));
}

TEST_CASE("Kernels reach pinned and registered host memory, but no other") {
  const OnDevice on;
  const TestModule module;
  if (!module.loaded())
    return;
  const hipFunction_t function = module.function("add_one");
  const PinnedBuffer<int> pinned(64);
  std::vector<int> host(64, 10);
  int count = 64;
  int* pointer = pinned.get();
  for (int i = 0; i < 64; ++i)
    pinned[static_cast<std::size_t>(i)] = i;
  CHECK_HIP(launch(function, 1, 64, 0, nullptr, {&pointer, &count}));
  CHECK_HIP(hipDeviceSynchronize());
  CHECK(pinned[0] == 1);
  CHECK(pinned[63] == 64);
  pointer = host.data();
  REQUIRE_HIP(hipHostRegister(host.data(), 256, 0));
  CHECK_HIP(launch(function, 1, 64, 0, nullptr, {&pointer, &count}));
  CHECK_HIP(hipDeviceSynchronize());
  CHECK(host == std::vector<int>(64, 11));
  REQUIRE_HIP(hipHostUnregister(host.data()));
  CHECK_HIP(launch(function, 1, 64, 0, nullptr, {&pointer, &count}));
  CHECK_HIP_IS(hipDeviceSynchronize(), hipErrorIllegalAddress);
  CHECK(contains(last_fault_text(), "hipHostRegister"));
  CHECK(host == std::vector<int>(64, 11));
}

TEST_CASE("A kernel's modelled time is at least the overhead of a dispatch") {
  const OnDevice on;
  const TestModule module;
  if (!module.loaded())
    return;
  const TestStream stream;
  const TestEvent start;
  const TestEvent stop;
  const DeviceBuffer<int> buffer(std::vector<int>(64, 0));
  int* pointer = buffer.get();
  int count = 64;
  CHECK_HIP(hipEventRecord(start, stream));
  CHECK_HIP(launch(module.function("add_one"), 1, 64, 0, stream, {&pointer, &count}));
  CHECK_HIP(hipEventRecord(stop, stream));
  CHECK_HIP(hipEventSynchronize(stop));
  float milliseconds = 0.0f;
  CHECK_HIP(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0.0022f);
  CHECK(milliseconds < 0.1f);
}

TEST_SUITE_END();
