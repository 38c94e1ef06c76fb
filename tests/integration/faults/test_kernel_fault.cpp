// A kernel that runs past an allocation: LAUNCH_FAILED with the simulator's sentence, and every later call fails
// cleanly.

#include "surroundings.h"

#include "unit/device/simulated_runtime.h"

using namespace hk;
using namespace hk::test;

namespace {

// The simulated device stays in its fault until it is reset.
class FaultyDevice {
 public:
  FaultyDevice() { m_runtime.set_current_device(device_under_test() == "sim:mi300x" ? 0 : 2); }
  FaultyDevice(const FaultyDevice&) = delete;
  FaultyDevice& operator=(const FaultyDevice&) = delete;
  ~FaultyDevice() {
    m_runtime.reset_fault();
    m_runtime.set_current_device(0);
  }

 private:
  SimulatedRuntime m_runtime;
};

// Launches the small call after `spoil(args, small)`, where `small` is 64 bytes of device memory: too little for any
// tensor. words: of the simulator's sentence.
template <typename Spoil>
void check_fault(std::initializer_list<const char*> words, Spoil&& spoil) {
  const FaultyDevice device;
  const std::string name = device_under_test();
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = name.c_str();
  options.cache_directory = kernel_folder();
  hk_context* context = nullptr;
  REQUIRE(hk_context_create(&options, &context) == HK_STATUS_SUCCESS);
  const Context memory_of = open_context();
  SmallCall call(memory_of);
  void* small = nullptr;
  REQUIRE(hk_memory_allocate(context, 64, &small) == HK_STATUS_SUCCESS);
  hk_attention_args args = call.args();
  spoil(args, small);
  CHECK(hk_attention(context, &args, nullptr, 0, nullptr) == HK_STATUS_SUCCESS); // queued
  CHECK(hk_stream_synchronize(context, nullptr) == HK_STATUS_LAUNCH_FAILED);
  check_sentence({name, "detail"});
  const std::string detail = hk_last_error_detail();
  CAPTURE(detail);
  for (const char* word : {"attention_forward", "workgroup", "wave", "lane", "address 0x"})
    CHECK_MESSAGE(detail.find(word) != std::string::npos, word);
  for (const char* word : words)
    CHECK_MESSAGE(detail.find(word) != std::string::npos, word);
  // From here on everything on the device fails, with the same sentence, and nothing crashes or hangs.
  CHECK(hk_attention(context, &call.args(), nullptr, 0, nullptr) == HK_STATUS_LAUNCH_FAILED);
  CHECK(std::string(hk_last_error_detail()) == detail);
  CHECK(hk_stream_synchronize(context, nullptr) == HK_STATUS_LAUNCH_FAILED);
  char byte = 0;
  CHECK(hk_memory_copy(context, &byte, small, 1, nullptr) == HK_STATUS_LAUNCH_FAILED);
  CHECK(hk_context_destroy(context) == HK_STATUS_LAUNCH_FAILED);
}

} // namespace

TEST_SUITE_BEGIN("kernel_fault");

TEST_CASE("kernel fault: storing behind a too small allocation, and the device after a reset") {
  const Census census;
  check_fault({"64 bytes", "store"}, [](hk_attention_args& args, void* small) { args.o.data = small; });
  const Context context = open_context();
  SmallCall(context).expect_right();
}

TEST_CASE("kernel fault: loading from behind a too small allocation") {
  const Census census;
  check_fault({"64 bytes", "load"}, [](hk_attention_args& args, void* small) { args.k.data = small; });
}

TEST_CASE("kernel fault: a row stride that leads far behind the values") {
  const Census census;
  check_fault({"allocation"}, [](hk_attention_args& args, void*) { args.v.stride_row = 1 << 20; });
}

TEST_SUITE_END();
