// Many kernels at once, as the tuner wants them: by workers, and one after the other in this process.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "groups.h"
#include "hk/hk.hpp"
#include "new_process.h"
#include "problem.h"
#include "series.h"

namespace hk::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int k_candidates = 16;
constexpr int k_rounds = 3;
constexpr double k_share = 0.9; // of the processors, as a gain in time

double measure(bool workers) {
  std::vector<std::string> variables = {"HK_CACHE_DIR=none",
                                        "HK_SPECIALIZE=exact",
                                        "HK_TUNE=off",
                                        "HK_SELFCHECK=off",
                                        std::string("HK_JIT_IN_PROCESS=") + (workers ? "0" : "1"),
                                        "AMD_COMGR_CACHE=0"};
  return std::stod(run_self({"--candidates", workers ? std::to_string(k_candidates) : "1"}, variables));
}

} // namespace

int run_candidates(int thread_count) {
  const Context context("null");
  std::atomic<int> next{0};
  std::atomic<bool> failed{false};
  const auto work = [&] {
    for (int i = next++; i < k_candidates && !failed; i = next++) {
      try {
        context.prepare(dense_attention(128, 512, 512 + 64 * i)); // an exact kernel each
      } catch (const std::exception& error) {
        std::fprintf(stderr, "hk-bench: %s\n", error.what());
        failed = true;
      }
    }
  };
  const Clock::time_point start = Clock::now();
  std::vector<std::thread> threads;
  for (int i = 1; i < thread_count; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads)
    thread.join();
  std::printf("%.3f\n", std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  return failed || context.statistics().compiles != k_candidates ? 1 : 0;
}

bool measure_candidates() {
  const unsigned processors = std::max(std::thread::hardware_concurrency(), 1U);
  const std::string many = std::to_string(k_candidates) + " kernels, cold, ";
  Series parallel{many + "by " + std::to_string(processors) + " workers", "ms", 0, {}};
  Series serial{many + "in process", "ms", 0, {}};
  Series gain{"in process : by workers", "x", k_share * processors, {}, true};
  for (int round = 0; round < k_rounds; ++round) { // side by side, so that both meet the same load
    parallel.values.push_back(measure(true));
    serial.values.push_back(measure(false));
    gain.values.push_back(serial.values.back() / parallel.values.back());
  }
  const bool complete = parallel.print() && serial.print();
  return gain.print() && complete;
}

} // namespace hk::bench
