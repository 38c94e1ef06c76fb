#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "hk/hk.hpp"
#include "null_context.h"

TEST_SUITE_BEGIN("api");

namespace {

bool message_has(const char* text) {
  return std::string(hk_last_error_message()).find(text) != std::string::npos;
}

hk_status create_with(const char* device, int32_t specialize = HK_SPECIALIZE_DEFAULT) {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = device;
  options.specialize = specialize;
  options.cache_directory = "none";
  auto* const untouched = reinterpret_cast<hk_context*>(std::uintptr_t{0x1234});
  hk_context* context = untouched;
  const hk_status status = hk_context_create(&options, &context);
  if (status == HK_STATUS_SUCCESS)
    CHECK(hk_context_destroy(context) == HK_STATUS_SUCCESS);
  else
    CHECK(context == untouched);
  return status;
}

} // namespace

TEST_CASE("api.context: malformed device names are refused with what is accepted") {
  for (const char* device : {"hip", "hip:", "hip:-1", "hip:1x", "hip:99999999999", "sim", "sim:", "sim:h100", "gpu:0",
                             ":", "null:", "null:gfx1", "nullx"}) {
    CAPTURE(device);
    const hk_status status = create_with(device);
    if (std::string(device) == "null:") {
      CHECK(status == HK_STATUS_SUCCESS);
      continue;
    }
    CHECK(status == HK_STATUS_INVALID_ARGUMENT);
    CHECK(message_has(device));
    CHECK(message_has("sim:mi355x"));
  }
}

TEST_CASE("api.context: a CUDA driver that does not exist is NO_RUNTIME, as is a build without CUDA") {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "cuda:0";
  options.runtime_library = "/nonexistent/libcuda.so.1";
  hk_context* context = nullptr;
  CHECK(hk_context_create(&options, &context) == HK_STATUS_NO_RUNTIME);
  CHECK(message_has(HK_WITH_CUDA ? "/nonexistent/libcuda.so.1" : "HK_CUDA=OFF"));
  CHECK(context == nullptr);
}

TEST_CASE("api.context: an unknown specialisation is refused") {
  CHECK(create_with("null", 3) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("options.specialize is 3"));
}

TEST_CASE("api.context: an unknown tuning mode or a set reserved field is refused") {
  hk_context* context = nullptr;
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "null";
  options.tune = HK_TUNE_FORCE + 1;
  CHECK(hk_context_create(&options, &context) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("options.tune is 5"));
  options.tune = HK_TUNE_OFF;
  options.reserved = 7;
  CHECK(hk_context_create(&options, &context) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("options.reserved is 7"));
  CHECK(context == nullptr);
}

TEST_CASE("api.context: options of a wrong size are refused") {
  hk_context* context = nullptr;
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.struct_size = 4;
  CHECK(hk_context_create(&options, &context) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("options.struct_size is 4"));
  CHECK(context == nullptr);
}

TEST_CASE("api.context: a runtime that does not exist is NO_RUNTIME and names the path") {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "hip:0";
  options.runtime_library = "/nonexistent/libamdhip64.so";
  hk_context* context = nullptr;
  CHECK(hk_context_create(&options, &context) == HK_STATUS_NO_RUNTIME);
  CHECK(message_has(HK_WITH_HIP ? "/nonexistent/libamdhip64.so" : "HK_HIP=OFF"));
  CHECK(context == nullptr);
}

TEST_CASE("api.context: a library that is no HIP runtime is NO_RUNTIME and names what it lacks") {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "hip:0";
  options.runtime_library = "libm.so.6";
  hk_context* context = nullptr;
  CHECK(hk_context_create(&options, &context) == HK_STATUS_NO_RUNTIME);
  CHECK(message_has(HK_WITH_HIP ? "hipInit" : "HK_HIP=OFF"));
}

TEST_CASE("api.context: every call refuses a null context") {
  void* pointer = nullptr;
  double microseconds = 0;
  size_t required = 0;
  CHECK(hk_memory_allocate(nullptr, 16, &pointer) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("context is null"));
  CHECK(hk_memory_free(nullptr, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_memory_copy(nullptr, nullptr, nullptr, 0, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_stream_create(nullptr, &pointer) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_stream_destroy(nullptr, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_stream_synchronize(nullptr, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_event_create(nullptr, &pointer) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_event_destroy(nullptr, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_event_record(nullptr, nullptr, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_event_elapsed(nullptr, nullptr, nullptr, &microseconds) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(hk_device_info(nullptr, nullptr, 0, &required) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(pointer == nullptr);
  CHECK(required == 0);
}

TEST_CASE("api.context: null arguments are refused by name") {
  const NullContext context;
  char byte = 0;
  CHECK(hk_memory_allocate(context.get(), 16, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("pointer is null"));
  CHECK(hk_memory_copy(context.get(), nullptr, &byte, 1, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("destination is null"));
  CHECK(hk_memory_copy(context.get(), &byte, nullptr, 1, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("source is null"));
  CHECK(hk_event_record(context.get(), nullptr, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("event is null"));
  CHECK(hk_device_info(context.get(), nullptr, 0, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("required"));
  CHECK(hk_device_info(context.get(), nullptr, 8, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("text is null"));
}

TEST_CASE("api.context: an impossible allocation is OUT_OF_MEMORY and leaves the output alone") {
  const NullContext context;
  void* pointer = &pointer;
  CHECK(hk_memory_allocate(context.get(), SIZE_MAX / 2, &pointer) == HK_STATUS_OUT_OF_MEMORY);
  CHECK(pointer == &pointer);
}

TEST_CASE("api.context: the information names the compile worker, or the trouble with it") {
  const auto info_with_worker = [](const char* worker) {
    hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
    options.device = "null";
    options.cache_directory = "none";
    options.compile_worker = worker;
    const hk::Context context(&options);
    return context.info();
  };
  CHECK(info_with_worker("/bin/sh").find(R"("worker":"/bin/sh")") != std::string::npos);
  const std::string missing = info_with_worker("/nowhere/hk-compile-worker");
  CHECK(missing.find("worker_problem") != std::string::npos);
  CHECK(missing.find("/nowhere/hk-compile-worker") != std::string::npos);
}

TEST_SUITE_END();
