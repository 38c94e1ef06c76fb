// CudaDriver against a CUDA driver that runs nothing (fake_cuda.c). What a real one does is seen by the tests that run
// with HK_DEVICE=cuda:0.

#include <doctest/doctest.h>

#include <dlfcn.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "device/open_device.h"

extern "C" {
#include "fake_cuda.h"
}

using namespace hk;
using namespace hk::device;

namespace {

fake_cuda_state& fresh_state() {
  static const auto state =
      reinterpret_cast<fake_cuda_state* (*)()>(dlsym(dlopen(HK_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), "fake_cuda"));
  *state() = fake_cuda_state{};
  state()->devices = 2;
  return *state();
}

// A function of the fake, to play the program around the library.
template <typename Function>
Function of_fake(const char* name) {
  return reinterpret_cast<Function>(dlsym(dlopen(HK_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), name));
}

Result<std::unique_ptr<Driver>> open_fake(const std::string& device) {
  DeviceRequest request;
  request.device = device;
  request.cuda_library = HK_FAKE_CUDA;
  return open_device(request);
}

std::vector<std::byte> cubin() {
  std::ifstream file(HK_CODE_OBJECT_DATA "/two_kernels_sm_90.cubin", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

bool contains(const Status& status, const char* text) {
  return status.message.find(text) != std::string::npos;
}

const void* at(std::uintptr_t address) {
  return reinterpret_cast<const void*>(address); // NOLINT(performance-no-int-to-ptr): places that the fake knows
}

} // namespace

TEST_SUITE_BEGIN("device.cuda");

TEST_CASE("device.cuda: a device says what it is, and its primary context is held while the driver lives") {
  const fake_cuda_state& state = fresh_state();
  {
    const auto driver = open_fake("cuda:1");
    REQUIRE(driver);
    const DeviceInfo& info = (*driver)->info();
    CHECK(info.device == "cuda:1");
    CHECK(info.product == "Fake GPU");
    CHECK(info.target == "sm_90");
    CHECK(info.compute_units == 132);
    CHECK(info.lds_bytes == 232448);
    CHECK(info.clock_mhz == 1980);
    CHECK(info.memory == std::uint64_t{1} << 37);
    CHECK(info.runtime_version == "13.0");
    CHECK(info.runtime_library == HK_FAKE_CUDA);
    CHECK(state.retained == 1);
  }
  CHECK(state.retained == 0);
}

TEST_CASE("device.cuda: no library, no device, no such device") {
  fake_cuda_state& state = fresh_state();
  DeviceRequest request;
  request.device = "cuda:0";
  request.cuda_library = "/nonexistent/libcuda.so.1";
  const auto no_library = open_device(request);
  CHECK(no_library.error().code == StatusCode::no_runtime);
  CHECK(contains(no_library.error(), "/nonexistent/libcuda.so.1"));
  CHECK(contains(no_library.error(), "HK_CUDA_LIBRARY"));
  request.cuda_library = HK_NO_CUDA; // a shared library without CUDA's functions
  const auto other = open_device(request);
  CHECK(other.error().code == StatusCode::no_runtime);
  CHECK(contains(other.error(), "lacks cuInit"));
  const auto beyond = open_fake("cuda:2");
  CHECK(beyond.error().code == StatusCode::no_device);
  CHECK(contains(beyond.error(), "shows 2 devices"));
  state.init_result = 100;
  const auto none = open_fake("cuda:0");
  CHECK(none.error().code == StatusCode::no_device);
  CHECK(contains(none.error(), "CUDA_ERROR_OTHER (100)"));
}

TEST_CASE("device.cuda: the calling thread keeps its context, also if it has none") {
  const fake_cuda_state& state = fresh_state();
  const auto driver = open_fake("cuda:0");
  REQUIRE(driver);
  const auto module = (*driver)->load(cubin(), "in_dynamic");
  REQUIRE(module);
  const auto current = of_fake<int (*)(void**)>("cuCtxGetCurrent");
  const auto push = of_fake<int (*)(void*)>("cuCtxPushCurrent_v2");
  const auto pop = of_fake<int (*)(void**)>("cuCtxPopCurrent_v2");
  void* context = nullptr;
  const std::array<std::byte, 8> arguments{std::byte{7}};
  const auto use_driver = [&] {
    CHECK((*driver)->launch(**module, {4, 128}, arguments, nullptr).ok());
    CHECK(state.launch_context == at(0x1000));
    CHECK((*driver)->allocate(16));
    CHECK((*driver)->synchronize(nullptr).ok());
  };
  use_driver();
  current(&context);
  CHECK(context == nullptr);
  push(const_cast<void*>(at(0x1001)));
  use_driver();
  current(&context);
  CHECK(context == at(0x1001));
  pop(&context);
  push(const_cast<void*>(at(0x1000))); // it is current already
  use_driver();
  current(&context);
  CHECK(context == at(0x1000));
  pop(&context);
  current(&context);
  CHECK(context == nullptr);
}

TEST_CASE("device.cuda: a launch hands over the argument bytes and the shared memory that the cubin asks for") {
  const fake_cuda_state& state = fresh_state();
  const auto driver = open_fake("cuda:0");
  REQUIRE(driver);
  {
    const auto module = (*driver)->load(cubin(), "in_dynamic");
    REQUIRE(module);
    CHECK(state.loaded == 1);
    CHECK(state.shared_attribute == 70000);
    const std::array<std::byte, 24> arguments{std::byte{42}};
    REQUIRE((*driver)->launch(**module, {4, 128}, arguments, nullptr).ok());
    CHECK(state.launches == 1);
    CHECK(state.launch_shared == 70000);
    CHECK(state.launch_block == 128);
    CHECK(state.launch_bytes == 24);
    CHECK(state.launch_first_byte == 42);
  }
  CHECK(state.loaded == 0);
}

TEST_CASE("device.cuda: errors have the driver's names and the right code") {
  fake_cuda_state& state = fresh_state();
  const auto driver = open_fake("cuda:0");
  REQUIRE(driver);
  CHECK((*driver)->load(std::vector<std::byte>(16), "in_dynamic").error().code == StatusCode::load_failed);
  CHECK((*driver)->load(cubin(), "another").error().code == StatusCode::load_failed);
  state.load_result = 209;
  CHECK((*driver)->load(cubin(), "in_dynamic").error().code == StatusCode::load_failed);
  state.load_result = 2; // these two say nothing about the code object
  CHECK((*driver)->load(cubin(), "in_dynamic").error().code == StatusCode::out_of_memory);
  state.load_result = 700;
  CHECK((*driver)->load(cubin(), "in_dynamic").error().code == StatusCode::launch_failed);
  state.load_result = 0;
  state.function_result = 500;
  CHECK((*driver)->load(cubin(), "in_dynamic").error().code == StatusCode::load_failed);
  CHECK(state.loaded == 0);
  state.function_result = 0;
  state.attribute_result = 1;
  const auto too_much = (*driver)->load(cubin(), "in_dynamic");
  CHECK(contains(too_much.error(), "70000 bytes of shared memory; a block may have 232448"));
  CHECK(state.loaded == 0);
  state.attribute_result = 0;
  const auto module = (*driver)->load(cubin(), "in_dynamic");
  REQUIRE(module);
  state.launch_result = 700;
  const Status faulted = (*driver)->launch(**module, {1, 128}, {}, nullptr);
  CHECK(faulted.code == StatusCode::launch_failed);
  CHECK(contains(faulted, "cuLaunchKernel(in_dynamic) on cuda:0: CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
  state.launch_result = 400;
  CHECK((*driver)->launch(**module, {1, 128}, {}, nullptr).code == StatusCode::invalid_argument);
  state.allocate_result = 2;
  CHECK((*driver)->allocate(1).error().code == StatusCode::out_of_memory);
  CHECK((*driver)->free(const_cast<void*>(at(0x20000))).code == StatusCode::invalid_argument);
  CHECK((*driver)->free(const_cast<void*>(at(0x50000))).code == StatusCode::invalid_argument);
  CHECK((*driver)->destroy_event(nullptr).code == StatusCode::invalid_argument);
}

TEST_CASE("device.cuda: where pointers point") {
  fresh_state();
  const auto driver = open_fake("cuda:0");
  REQUIRE(driver);
  int on_stack = 0;
  CHECK((*driver)->place_of(at(0x10040)) == PointerPlace::this_device);
  CHECK((*driver)->place_of(at(0x20040)) == PointerPlace::other_device);
  CHECK((*driver)->place_of(at(0x30040)) == PointerPlace::this_device);
  CHECK((*driver)->place_of(&on_stack) == PointerPlace::host);
}

TEST_CASE("device.cuda: captures are seen and never waited into") {
  fake_cuda_state& state = fresh_state();
  const auto driver = open_fake("cuda:0");
  REQUIRE(driver);
  const auto module = (*driver)->load(cubin(), "in_dynamic");
  REQUIRE(module);
  const auto stream = (*driver)->create_stream();
  REQUIRE(stream);
  CHECK_FALSE(*(*driver)->is_capturing(*stream));
  REQUIRE((*driver)->launch(**module, {1, 128}, {}, *stream).ok());
  CHECK((*driver)->wait_for_launches().ok());
  CHECK(state.synchronized == 1);
  state.capturing = 1;
  CHECK(*(*driver)->is_capturing(*stream));
  CHECK((*driver)->wait_for_launches().code == StatusCode::invalid_argument);
  CHECK(state.synchronized == 1);
  state.capture_query_result = 906; // the default stream, while a stream that it waits for is captured
  CHECK(*(*driver)->is_capturing(nullptr));
  state.capture_query_result = 700;
  CHECK((*driver)->is_capturing(*stream).error().code == StatusCode::launch_failed);
  state.capture_query_result = 0;
  state.capturing = 0;
  state.synchronize_result = 709; // destroyed since
  CHECK((*driver)->wait_for_launches().ok());
  state.synchronize_result = 700;
  CHECK((*driver)->wait_for_launches().code == StatusCode::launch_failed);
  CHECK(state.context_synchronized == 0);
}

TEST_CASE("device.cuda: a stream of the driver's own is waited for when it is destroyed, and never touched again") {
  const fake_cuda_state& state = fresh_state();
  const auto driver = open_fake("cuda:0");
  REQUIRE(driver);
  const auto module = (*driver)->load(cubin(), "in_dynamic");
  REQUIRE(module);
  const auto stream = (*driver)->create_stream();
  REQUIRE(stream);
  REQUIRE((*driver)->launch(**module, {1, 128}, {}, *stream).ok());
  CHECK((*driver)->destroy_stream(*stream).ok());
  CHECK(state.synchronized == 1);
  CHECK((*driver)->wait_for_launches().ok());
  CHECK(state.synchronized == 1);
}

TEST_CASE("device.cuda: the stream of each thread cannot be waited for by its handle, so the device is") {
  fake_cuda_state& state = fresh_state();
  const auto driver = open_fake("cuda:0");
  REQUIRE(driver);
  const auto module = (*driver)->load(cubin(), "in_dynamic");
  REQUIRE(module);
  REQUIRE((*driver)->launch(**module, {1, 128}, {}, const_cast<void*>(at(2))).ok());
  CHECK((*driver)->wait_for_launches().ok());
  CHECK(state.context_synchronized == 1);
  state.synchronize_result = 900;
  CHECK((*driver)->wait_for_launches().code == StatusCode::invalid_argument);
}

TEST_CASE("device.cuda: events give microseconds") {
  fresh_state();
  const auto driver = open_fake("cuda:0");
  REQUIRE(driver);
  const auto event = (*driver)->create_event();
  REQUIRE(event);
  CHECK((*driver)->record(*event, nullptr).ok());
  CHECK(*(*driver)->elapsed(*event, *event) == doctest::Approx(250));
}

TEST_SUITE_END();
