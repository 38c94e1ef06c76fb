#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "sim/hip/hip_check.h"
#include "sim/hip/kernels.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

// Allocates, fills, copies back, compares and frees. Returns the number of surprises; doctest is not asked from
// threads.
int churn(int seed, int rounds) {
  int wrong = 0;
  std::mt19937 random(static_cast<unsigned>(seed));
  hipStream_t stream = nullptr;
  wrong += hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) != hipSuccess;
  std::vector<std::pair<unsigned char*, unsigned char>> kept;
  for (int i = 0; i < rounds; ++i) {
    const std::size_t size = 1 + random() % 20'000;
    const unsigned char value = static_cast<unsigned char>(random());
    void* pointer = nullptr;
    wrong += hipMalloc(&pointer, size) != hipSuccess;
    wrong += hipMemsetAsync(pointer, value, size, stream) != hipSuccess;
    wrong += hipStreamSynchronize(stream) != hipSuccess;
    kept.emplace_back(static_cast<unsigned char*>(pointer), value);
    if (kept.size() > 8) {
      const auto [oldest, expected] = kept.front();
      unsigned char first = 0;
      wrong += hipMemcpyWithStream(&first, oldest, 1, hipMemcpyDeviceToHost, stream) != hipSuccess;
      wrong += first != expected;
      wrong += hipFree(oldest) != hipSuccess;
      kept.erase(kept.begin());
    }
  }
  for (const auto& [pointer, value] : kept)
    wrong += hipFree(pointer) != hipSuccess;
  wrong += hipStreamDestroy(stream) != hipSuccess;
  return wrong;
}

} // namespace

TEST_CASE("Two threads allocate, fill, copy and free on one device") {
  const OnDevice on;
  std::size_t before = 0;
  std::size_t after = 0;
  CHECK_HIP(hipMemGetInfo(&before, nullptr));
  std::atomic<int> wrong{0};
  std::thread first([&] { wrong += churn(1, 300); });
  std::thread second([&] { wrong += churn(2, 300); });
  first.join();
  second.join();
  CHECK(wrong.load() == 0);
  CHECK_HIP(hipMemGetInfo(&after, nullptr));
  CHECK(before == after);
}

TEST_CASE("Two threads launch on the null stream and their own streams at once") {
  const OnDevice on;
  const TestModule module;
  if (!module.loaded())
    return;
  const hipFunction_t function = module.function("add_one");
  const DeviceBuffer<int> buffer(std::vector<int>(128, 0));
  std::atomic<int> wrong{0};
  const auto work = [&](int half) {
    hipStream_t stream = nullptr;
    wrong += hipStreamCreate(&stream) != hipSuccess;
    int* pointer = buffer.get() + 64 * half;
    int count = 64;
    for (int i = 0; i < 20; ++i)
      wrong += launch(function, 1, 64, 0, i % 2 == 0 ? stream : nullptr, {&pointer, &count}) != hipSuccess;
    wrong += hipStreamSynchronize(stream) != hipSuccess;
    wrong += hipStreamDestroy(stream) != hipSuccess;
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  CHECK(wrong.load() == 0);
  CHECK(buffer.read() == std::vector<int>(128, 20)); // the null stream kept the launches on each half in order
}

TEST_SUITE_END();
