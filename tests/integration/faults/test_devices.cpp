// Devices and runtimes that do not exist.

#include "surroundings.h"

#include "base/subprocess.h"

using namespace hk;
using namespace hk::test;

namespace {

hk_context_options options_for(const char* device, const char* runtime = nullptr) {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = device;
  options.runtime_library = runtime;
  options.cache_directory = "none";
  return options;
}

} // namespace

TEST_SUITE_BEGIN("devices");

TEST_CASE("devices: a name that is none") {
  const Census census;
  for (const char* name : {"sim:mi355", "sim:", "hip:-1", "hip:x", "gpu", ""}) {
    CAPTURE(std::string(name));
    if (*name == '\0')
      continue; // stands for the default
    expect_no_context(options_for(name), HK_STATUS_INVALID_ARGUMENT, {name});
  }
}

TEST_CASE("devices: an ordinal that the runtime does not show") {
  const Census census;
  expect_no_context(options_for("hip:7", HK_SIMULATOR), HK_STATUS_NO_DEVICE, {"hip:7", "MI300X", "MI355X"});
}

TEST_CASE("devices: a runtime that is not there, or is no runtime") {
  const Census census;
  const ScratchFolder scratch;
  expect_no_context(options_for("hip:0", "/nonexistent/libamdhip64.so.6"), HK_STATUS_NO_RUNTIME,
                    {"/nonexistent/libamdhip64.so.6", "HK_HIP_LIBRARY"});
  const std::string text = scratch / "libamdhip64.so.6";
  write_text(text, "not a library");
  expect_no_context(options_for("hip:0", text.c_str()), HK_STATUS_NO_RUNTIME, {text, "HK_HIP_LIBRARY"});
  // A library without the functions of HIP.
  expect_no_context(options_for("hip:0", "libm.so.6"), HK_STATUS_NO_RUNTIME, {"libm.so.6"});
  const Environment variable("HK_HIP_LIBRARY", "/nonexistent/other.so");
  expect_no_context(options_for("hip:0"), HK_STATUS_NO_RUNTIME, {"/nonexistent/other.so"});
}

TEST_CASE("devices: a simulator that is not there") {
  const Census census;
  const Environment variable("HK_SIM_LIBRARY", "/nonexistent/libhksim.so");
  expect_no_context(options_for("sim:mi355x"), HK_STATUS_NO_RUNTIME, {"/nonexistent/libhksim.so", "HK_SIM_LIBRARY"});
}

TEST_CASE("devices: a setting that is not understood names variable, value and what is accepted") {
  const Census census;
  const Environment variable("HK_COMPILE_TIMEOUT_MS", "soon");
  expect_no_context(options_for("sim:mi355x"), HK_STATUS_INVALID_ARGUMENT,
                    {"HK_COMPILE_TIMEOUT_MS", "soon", "integer"});
}

TEST_SUITE_END();
