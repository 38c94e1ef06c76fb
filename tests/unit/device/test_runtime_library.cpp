// Which runtime is taken. Each case runs in a child process, because a loaded library stays.
#include <doctest/doctest.h>

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "device/hip/hip_libraries.h"
#include "device/open_device.h"
#include "unit/base/scratch_folder.h"

TEST_SUITE_BEGIN("device");

using hk::StatusCode;
using hk::device::open_hip_library;

namespace {

// Runs body() -> bool in a child.
template <typename Body>
bool holds_in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0)
    _exit(body() ? 0 : 1);
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("device.runtime_library: a runtime that was asked for is the only one tried") {
  const auto missing = open_hip_library("/nonexistent/libamdhip64.so");
  REQUIRE(!missing);
  CHECK(missing.error().code == StatusCode::no_runtime);
  CHECK(has(missing.error().message, "/nonexistent/libamdhip64.so"));
  CHECK(has(missing.error().message, "HK_HIP_LIBRARY"));
  CHECK(!has(missing.error().message, "libamdhip64.so.6"));
}

TEST_CASE("device.runtime_library: the runtime that the process already holds is taken") {
  CHECK(holds_in_child([] {
    void* const mapped = dlopen(HK_FAKE_RUNTIME_A, RTLD_NOW | RTLD_LOCAL);
    const auto library = open_hip_library({});
    return mapped != nullptr && library && library->handle == mapped && library->path == HK_FAKE_RUNTIME_A &&
           has(library->reason, "already loaded");
  }));
}

TEST_CASE("device.runtime_library: two runtimes in the process are refused, naming both") {
  CHECK(holds_in_child([] {
    const bool mapped = dlopen(HK_FAKE_RUNTIME_A, RTLD_NOW | RTLD_LOCAL) != nullptr &&
                        dlopen(HK_FAKE_RUNTIME_B, RTLD_NOW | RTLD_LOCAL) != nullptr;
    const auto library = open_hip_library({});
    return mapped && !library && library.error().code == StatusCode::no_runtime &&
           has(library.error().message, HK_FAKE_RUNTIME_A) && has(library.error().message, HK_FAKE_RUNTIME_B);
  }));
}

TEST_CASE("device.runtime_library: a library that lacks a function of HIP is refused, naming the function") {
  CHECK(holds_in_child([] {
    const auto driver = hk::device::open_device({"hip:0", HK_FAKE_RUNTIME_A, {}});
    return !driver && driver.error().code == StatusCode::no_runtime && has(driver.error().message, "hipInit") &&
           has(driver.error().message, HK_FAKE_RUNTIME_A);
  }));
}

TEST_CASE("device.runtime_library: a simulator that was asked for is the only one tried") {
  const auto driver = hk::device::open_device({"sim:mi300x", {}, "/nonexistent/libhksim.so"});
  REQUIRE(!driver);
  CHECK(driver.error().code == StatusCode::no_runtime);
  CHECK(has(driver.error().message, "/nonexistent/libhksim.so"));
  CHECK(has(driver.error().message, "HK_SIM_LIBRARY"));
}

TEST_CASE("device.runtime_library: a FIFO is refused at once") {
  const hk::test::ScratchFolder folder;
  const std::string fifo = folder / "libamdhip64.so";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const auto runtime = open_hip_library(fifo);
  REQUIRE(!runtime);
  CHECK(runtime.error().code == StatusCode::no_runtime);
  CHECK(has(runtime.error().message, fifo.c_str()));
  const auto driver = hk::device::open_device({"sim:mi300x", {}, fifo});
  REQUIRE(!driver);
  CHECK(has(driver.error().message, "HK_SIM_LIBRARY"));
}

TEST_SUITE_END();
