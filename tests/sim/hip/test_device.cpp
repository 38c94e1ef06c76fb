#include <array>
#include <cstring>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"
#include "sim/hip_surface/hksim.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

TEST_CASE("The default devices are an MI300X, an MI325X and an MI355X") {
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  REQUIRE(count == 3);
  struct Row {
    int ordinal;
    const char* name;
    const char* target;
    int compute_units, minor, clock_khz;
    std::size_t lds;
  };
  for (const Row& row : {Row{k_mi300x, "MI300X", "gfx942:sramecc+:xnack-", 304, 4, 2'100'000, 65536},
                         Row{k_mi325x, "MI325X", "gfx942:sramecc+:xnack-", 304, 4, 2'100'000, 65536},
                         Row{k_mi355x, "MI355X", "gfx950:sramecc+:xnack-", 256, 5, 2'400'000, 163840}}) {
    CAPTURE(row.name);
    hipDeviceProp_t properties;
    REQUIRE_HIP(hipGetDeviceProperties(&properties, row.ordinal));
    CHECK(contains(properties.name, row.name));
    CHECK(contains(properties.name, "simulated"));
    CHECK(std::string(properties.gcnArchName) == row.target);
    CHECK(properties.multiProcessorCount == row.compute_units);
    CHECK(properties.major == 9);
    CHECK(properties.minor == row.minor);
    CHECK(properties.clockRate == row.clock_khz);
    CHECK(properties.sharedMemPerBlock == row.lds);
    CHECK(properties.warpSize == 64);
    CHECK(properties.maxThreadsPerBlock == 1024);
    CHECK(properties.maxThreadsPerMultiProcessor == 2048);
    std::array<char, 128> name{};
    CHECK_HIP(hipDeviceGetName(name.data(), static_cast<int>(name.size()), row.ordinal));
    CHECK(std::string(name.data()) == properties.name);
    std::size_t total = 0;
    CHECK_HIP(hipDeviceTotalMem(&total, row.ordinal));
    CHECK(total == properties.totalGlobalMem);
    int value = 0;
    CHECK_HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, row.ordinal));
    CHECK(value == row.compute_units);
    CHECK_HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxSharedMemoryPerBlock, row.ordinal));
    CHECK(value == static_cast<int>(row.lds));
    std::array<char, 40> digest{};
    CHECK(hksim_profile_digest(row.ordinal, digest.data(), digest.size()) == 32);
  }
}

TEST_CASE("Ordinals, names and pointers that do not fit are refused") {
  hipDeviceProp_t properties;
  int value = 0;
  std::array<char, 4> text{};
  CHECK_HIP_IS(hipGetDeviceProperties(&properties, 3), hipErrorInvalidDevice);
  CHECK_HIP_IS(hipGetDeviceProperties(&properties, -1), hipErrorInvalidDevice);
  CHECK_HIP_IS(hipGetDeviceProperties(nullptr, 0), hipErrorInvalidValue);
  CHECK_HIP_IS(hipSetDevice(3), hipErrorInvalidDevice);
  CHECK_HIP_IS(hipGetDeviceCount(nullptr), hipErrorInvalidValue);
  CHECK_HIP_IS(hipDeviceGetName(text.data(), 4, 0), hipErrorInvalidValue);
  CHECK_HIP_IS(hipDeviceGetPCIBusId(text.data(), 4, 0), hipErrorInvalidValue);
  CHECK_HIP_IS(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(9998), 0), hipErrorInvalidValue);
  CHECK_HIP_IS(hipInit(1), hipErrorInvalidValue);
  CHECK_HIP(hipInit(0));
}

TEST_CASE("Versions are those of the HIP headers that the simulator was built with") {
  int runtime = 0;
  int driver = 0;
  CHECK_HIP(hipRuntimeGetVersion(&runtime));
  CHECK_HIP(hipDriverGetVersion(&driver));
  CHECK(runtime == HIP_VERSION);
  CHECK(driver == HIP_VERSION);
  CHECK(std::strlen(hksim_version()) > 0);
}

TEST_CASE("Each device has its own bus id") {
  std::array<char, 32> first{};
  std::array<char, 32> second{};
  CHECK_HIP(hipDeviceGetPCIBusId(first.data(), 32, 0));
  CHECK_HIP(hipDeviceGetPCIBusId(second.data(), 32, 1));
  CHECK(std::string(first.data()) == "0000:01:00.0");
  CHECK(std::string(second.data()) == "0000:02:00.0");
}

TEST_CASE("The current device belongs to the thread") {
  const OnDevice on(k_mi355x);
  int elsewhere = -1;
  std::thread([&] { CHECK_HIP(hipGetDevice(&elsewhere)); }).join();
  CHECK(elsewhere == 0);
  int here = -1;
  CHECK_HIP(hipGetDevice(&here));
  CHECK(here == k_mi355x);
}

TEST_CASE("The last error belongs to the thread, stays until asked for, and success does not clear it") {
  static_cast<void>(hipGetLastError());
  CHECK(hipSetDevice(99) == hipErrorInvalidDevice);
  std::thread([] { CHECK(hipPeekAtLastError() == hipSuccess); }).join();
  CHECK_HIP(hipInit(0));
  CHECK(hipPeekAtLastError() == hipErrorInvalidDevice);
  CHECK(hipGetLastError() == hipErrorInvalidDevice);
  CHECK(hipPeekAtLastError() == hipSuccess);
}

TEST_CASE("Errors have names and texts") {
  CHECK(std::string(hipGetErrorName(hipErrorNoBinaryForGpu)) == "hipErrorNoBinaryForGpu");
  CHECK(std::string(hipGetErrorString(hipSuccess)) == "no error");
  CHECK(std::string(hipGetErrorName(static_cast<hipError_t>(12345))) == "hipErrorUnknown");
  const char* text = nullptr;
  CHECK(hipDrvGetErrorName(hipErrorLaunchFailure, &text) == hipSuccess);
  CHECK(std::string(text) == "hipErrorLaunchFailure");
  CHECK(hipDrvGetErrorString(static_cast<hipError_t>(12345), &text) == hipErrorInvalidValue);
}

TEST_CASE("Peer access is enabled once and between different devices") {
  const OnDevice on(k_mi300x);
  int can = 0;
  CHECK_HIP(hipDeviceCanAccessPeer(&can, 0, 2));
  CHECK(can == 1);
  CHECK_HIP(hipDeviceCanAccessPeer(&can, 1, 1));
  CHECK(can == 0);
  CHECK_HIP(hipDeviceEnablePeerAccess(k_mi355x, 0));
  CHECK_HIP_IS(hipDeviceEnablePeerAccess(k_mi355x, 0), hipErrorPeerAccessAlreadyEnabled);
  CHECK_HIP(hipDeviceDisablePeerAccess(k_mi355x));
  CHECK_HIP_IS(hipDeviceDisablePeerAccess(k_mi355x), hipErrorPeerAccessNotEnabled);
  CHECK_HIP_IS(hipDeviceEnablePeerAccess(k_mi300x, 0), hipErrorInvalidDevice);
}

TEST_SUITE_END();
