// libhksim.so loaded by dlopen in child processes: the first call, the environment, the end.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/hip/hiprtc.h"

namespace {

constexpr int k_success = 0;
constexpr int k_not_initialized = 3;
constexpr int k_no_device = 100;
constexpr int k_not_ready = 600;

using Clock = std::chrono::steady_clock;

struct Library {
  void* handle = dlopen(HK_SIM_LIBRARY_PATH, RTLD_NOW | RTLD_LOCAL);

  // HIP's functions return an enumeration, which the C ABI passes like an int.
  template <typename... Arguments>
  int call(const char* name, Arguments... arguments) const {
    auto* function = reinterpret_cast<int (*)(Arguments...)>(dlsym(handle, name));
    return function == nullptr ? -1 : function(arguments...);
  }
  [[nodiscard]] std::string error() const {
    auto* function = reinterpret_cast<std::size_t (*)(char*, std::size_t)>(dlsym(handle, "hksim_last_error"));
    std::string text(function(nullptr, 0), '\0');
    function(text.data(), text.size() + 1);
    return text;
  }
};

std::ptrdiff_t threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

// The kernel may take a moment to remove a thread that has been joined.
bool thread_count_becomes(std::ptrdiff_t expected) {
  for (int i = 0; i < 1000; ++i) {
    if (threads() == expected)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

bool mapped(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line))
    if (line.find(name) != std::string::npos)
      return true;
  return false;
}

// The moment at which a child calls exit(), seen by its parent: loading the library and queueing work are not the end.
class ExitMoment {
 public:
  ExitMoment()
      : m_moment(static_cast<Clock::time_point*>(
            mmap(nullptr, sizeof(Clock::time_point), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    REQUIRE(static_cast<void*>(m_moment) != MAP_FAILED);
  }
  ~ExitMoment() { munmap(m_moment, sizeof(Clock::time_point)); }
  ExitMoment(const ExitMoment&) = delete;
  ExitMoment& operator=(const ExitMoment&) = delete;
  [[noreturn]] void exit_now(int code) const {
    *m_moment = Clock::now();
    std::exit(code);
  }
  [[nodiscard]] Clock::duration since() const { return Clock::now() - *m_moment; }

 private:
  Clock::time_point* m_moment;
};

int exit_code_of(const std::function<int()>& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

} // namespace

TEST_CASE("Loading the library starts nothing") {
  CHECK(exit_code_of([] {
          const std::ptrdiff_t before = threads();
          const Library library;
          if (library.handle == nullptr)
            return 1;
          return threads() == before ? 0 : 2;
        }) == 0);
}

TEST_CASE("HK_SIM_DEVICES gives the devices, and an unknown one leaves none, with a reason") {
  CHECK(exit_code_of([] {
          setenv("HK_SIM_DEVICES", "mi355x", 1);
          const Library library;
          int count = 0;
          if (library.call("hipInit", 0U) != k_success || library.call("hipGetDeviceCount", &count) != k_success)
            return 1;
          char name[64] = {};
          library.call("hipDeviceGetName", +name, 64, 0);
          return count == 1 && std::string(name).find("MI355X") != std::string::npos ? 0 : 2;
        }) == 0);
  CHECK(exit_code_of([] {
          setenv("HK_SIM_DEVICES", "mi300x,mi999", 1);
          const Library library;
          int count = 7;
          if (library.call("hipInit", 0U) != k_no_device || library.call("hipGetDeviceCount", &count) != k_no_device)
            return 1;
          if (count != 0)
            return 2;
          const std::string text = library.error();
          return text.find("mi999") != std::string::npos && text.find("mi325x") != std::string::npos ? 0 : 3;
        }) == 0);
}

TEST_CASE("A child of a process that has the library loaded but never used it may use it") {
  CHECK(exit_code_of([] {
          const Library library;
          return exit_code_of([&] { return library.call("hipInit", 0U); });
        }) == k_success);
  CHECK(exit_code_of([] {
          const Library library;
          if (library.call("hipInit", 0U) != k_success)
            return 1;
          return exit_code_of([&] { return library.call("hipInit", 0U); });
        }) == k_not_initialized);
}

TEST_CASE("No thread and no mapping is left when the library is unloaded, and it can be loaded again") {
  CHECK(exit_code_of([] {
          std::thread([] {}).join(); // a sanitizer starts its own thread with the first one
          for (int round = 0; round < 3; ++round) {
            const std::ptrdiff_t before = threads();
            const Library library;
            void* stream = nullptr;
            void* memory = nullptr;
            if (library.handle == nullptr || library.call("hipStreamCreate", &stream) != k_success ||
                library.call("hipMalloc", &memory, std::size_t{100'000}) != k_success ||
                library.call("hipMemsetAsync", memory, 1, std::size_t{100'000}, stream) != k_success ||
                library.call("hipMemset", memory, 1, std::size_t{100'000}) != k_success)
              return 1;
            if (threads() < before + 2) // the stream's and the null stream's
              return 2;
            dlclose(library.handle);
            if (!thread_count_becomes(before))
              return 3;
            if (mapped("libhksim"))
              return 4;
          }
          return 0;
        }) == 0);
}

TEST_CASE("A process that exits with work queued ends at once") {
  const ExitMoment exit_moment;
  CHECK(exit_code_of([&]() -> int {
          const Library library;
          void* memory = nullptr;
          library.call("hipMalloc", &memory, std::size_t{1'000'000});
          for (int i = 0; i < 10'000; ++i)
            library.call("hipMemsetAsync", memory, 1, std::size_t{1'000'000}, static_cast<void*>(nullptr));
          exit_moment.exit_now(5);
        }) == 5);
  CHECK(exit_moment.since() < std::chrono::seconds(5));
}

TEST_CASE("A process that exits while a kernel runs without end ends soon") {
  if (!hk::sim::testing::hiprtc_exists()) {
    MESSAGE("skipped: this machine has no hipRTC");
    return;
  }
  const std::vector<std::byte> code = hk::sim::testing::compile_with_hiprtc(
      "extern \"C\" __global__ void wait_for(volatile int* flag) { while (*flag == 0) {} }", "gfx942:sramecc+:xnack-");
  const ExitMoment exit_moment;
  CHECK(exit_code_of([&]() -> int {
          const Library library;
          void* flag = nullptr;
          void* module = nullptr;
          void* function = nullptr;
          if (library.call("hipMalloc", &flag, std::size_t{4}) != k_success ||
              library.call("hipModuleLoadData", &module, static_cast<const void*>(code.data())) != k_success ||
              library.call("hipModuleGetFunction", &function, module, "wait_for") != k_success)
            return 1;
          void* arguments[] = {&flag};
          if (library.call("hipModuleLaunchKernel", function, 1U, 1U, 1U, 64U, 1U, 1U, 0U, static_cast<void*>(nullptr),
                           +arguments, static_cast<void**>(nullptr)) != k_success)
            return 2;
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          if (library.call("hipStreamQuery", static_cast<void*>(nullptr)) != k_not_ready)
            return 3;
          exit_moment.exit_now(7);
        }) == 7);
  CHECK(exit_moment.since() < std::chrono::seconds(5));
}

TEST_CASE("exit() called by a host function ends the process") {
  CHECK(exit_code_of([]() -> int {
          const Library library;
          void (*function)(void*) = [](void*) { std::exit(6); };
          library.call("hipLaunchHostFunc", static_cast<void*>(nullptr), function, static_cast<void*>(nullptr));
          std::this_thread::sleep_for(std::chrono::seconds(10));
          return 1;
        }) == 6);
}

// Sanitizers need more address space than the test leaves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool k_sanitized = true;
#elif defined(__has_feature)
constexpr bool k_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool k_sanitized = false;
#endif

TEST_CASE("With little address space the devices have less of it, and say so when it is used up" *
          doctest::skip(k_sanitized)) {
  CHECK(exit_code_of([] {
          const rlimit limit{std::uint64_t{8} << 30, std::uint64_t{8} << 30};
          if (setrlimit(RLIMIT_AS, &limit) != 0)
            return 1;
          const Library library;
          if (library.handle == nullptr || library.call("hipInit", 0U) != k_success)
            return 2;
          void* memory = nullptr;
          if (library.call("hipMalloc", &memory, std::size_t{1} << 20) != k_success)
            return 3;
          if (library.call("hipMalloc", &memory, std::size_t{32} << 30) != 2) // hipErrorOutOfMemory
            return 4;
          return library.error().find("address space") != std::string::npos ? 0 : 5;
        }) == 0);
}

TEST_CASE("Both symbols of the device properties exist, at the versions of libamdhip64") {
  CHECK(exit_code_of([] {
          const Library library;
          for (const auto& [name, version] :
               {std::pair{"hipGetDevicePropertiesR0600", "hip_6.0"}, std::pair{"hipGetDeviceProperties", "hip_4.2"},
                std::pair{"hipGetDevicePropertiesR0000", "hip_4.2"}, std::pair{"hipModuleLaunchKernel", "hip_4.2"},
                std::pair{"hipMallocAsync", "hip_5.1"}, std::pair{"hipLaunchHostFunc", "hip_5.3"}})
            if (dlvsym(library.handle, name, version) == nullptr)
              return 1;
          // The old structure starts with the name, as the new one does.
          char properties[8192] = {};
          library.call("hipGetDeviceProperties", +properties, 0);
          return std::string(properties).find("MI300X") != std::string::npos ? 0 : 2;
        }) == 0);
}

namespace {

// Microseconds that a fill of 65 MB takes, by so many queries of its events; empty if a call failed.
std::vector<float> fill_times(const Library& library, int queries) {
  constexpr std::size_t bytes = 65'000'000;
  void* memory = nullptr;
  void* start = nullptr;
  void* stop = nullptr;
  void* const stream = nullptr;
  if (library.call("hipMalloc", &memory, bytes) != k_success || library.call("hipEventCreate", &start) != k_success ||
      library.call("hipEventCreate", &stop) != k_success ||
      library.call("hipEventRecord", start, stream) != k_success ||
      library.call("hipMemsetAsync", memory, 0, bytes, stream) != k_success ||
      library.call("hipEventRecord", stop, stream) != k_success ||
      library.call("hipEventSynchronize", stop) != k_success)
    return {};
  std::vector<float> times(static_cast<std::size_t>(queries));
  for (float& time : times)
    if (library.call("hipEventElapsedTime", &time, start, stop) != k_success)
      return {};
  return times;
}

// What a child process with that HK_SIM_NOISE (null: unset) sees, as bytes; empty if something failed there.
std::string fill_times_with(const char* noise) {
  int channel[2] = {};
  REQUIRE(pipe(channel) == 0);
  const int code = exit_code_of([&] {
    setenv("HK_SIM_DEVICES", "mi355x", 1);
    if (noise != nullptr)
      setenv("HK_SIM_NOISE", noise, 1);
    else
      unsetenv("HK_SIM_NOISE");
    const Library library;
    const std::vector<float> times = fill_times(library, 200);
    const auto bytes = static_cast<ssize_t>(times.size() * sizeof(float));
    return write(channel[1], times.data(), static_cast<std::size_t>(bytes)) == bytes ? 0 : 1;
  });
  close(channel[1]);
  std::string text(4096, '\0');
  const ssize_t length = read(channel[0], text.data(), text.size());
  close(channel[0]);
  REQUIRE(code == 0);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::vector<float> floats_of(const std::string& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

} // namespace

TEST_CASE("HK_SIM_NOISE: event times are noisy, the same for the same seed; without it or with none they are exact") {
  const std::vector<float> exact = floats_of(fill_times_with(nullptr));
  REQUIRE(exact.size() == 200);
  // 65 MB written at 6.5 TB/s (profile) take 10 us; every query says the same.
  CHECK(exact.front() == doctest::Approx(0.01).epsilon(1e-6));
  CHECK(std::count(exact.begin(), exact.end(), exact.front()) == 200);
  CHECK(fill_times_with("5:0:0") == fill_times_with(nullptr));

  const std::string noisy = fill_times_with("5:0.02:0.05");
  CHECK(noisy == fill_times_with("5:0.02:0.05"));
  CHECK(noisy != fill_times_with("6:0.02:0.05"));
  std::vector<float> times = floats_of(noisy);
  REQUIRE(times.size() == 200);
  std::sort(times.begin(), times.end());
  CHECK(times[100] == doctest::Approx(exact.front()).epsilon(0.01));
  CHECK(times.front() < 0.97F * exact.front());
  CHECK(times.back() > 1.4F * exact.front());
  CHECK(times.back() < 3.4F * exact.front());
}

TEST_CASE("A malformed HK_SIM_NOISE leaves no device, with a reason") {
  CHECK(exit_code_of([] {
          setenv("HK_SIM_NOISE", "5:2:0", 1);
          const Library library;
          if (library.call("hipInit", 0U) != k_no_device)
            return 1;
          return library.error().find("HK_SIM_NOISE") != std::string::npos ? 0 : 2;
        }) == 0);
}
