// How fast the simulator executes: wave instructions and floating-point operations a second, and what a second core
// adds. One-core figures are per second of processor time, so that other load on the machine does not enter.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "groups.h"
#include "series.h"
#include "sim_attention.h"
#include "sim_kernels.h"

namespace hk::bench {
namespace {

constexpr int k_repetitions = 7;
constexpr double k_sample_seconds = 0.05; // one sample of a small kernel takes about this long
constexpr unsigned k_first_iterations = 200;
constexpr double k_least_scaling = 1.9; // of two cores
constexpr double k_workgroup_limit_ms = 35;
constexpr std::uint32_t k_workgroups_per_core = 8;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A row of rates: the best and the median; the best is what the limit concerns.
bool print_rates(const std::string& name, std::vector<double> values, const char* unit, double least) {
  std::sort(values.begin(), values.end());
  const double best = values.back();
  const bool kept = least == 0 || best >= least;
  std::printf("%-58s  %10.2f  %10.2f  %10.2f  %3zu  %-8s", name.c_str(), values[values.size() / 2], values.front(),
              best, values.size(), unit);
  if (least != 0)
    std::printf("  at least %g: %s", least, kept ? "ok" : "MISSED");
  std::printf("\n");
  std::fflush(stdout);
  return kept;
}

bool measure_kernel(const SimKernelText& text) {
  const SimKernel trial(text, k_first_iterations);
  static_cast<void>(trial.run(1, 1));
  const double start = processor_seconds();
  static_cast<void>(trial.run(1, 1));
  const double seconds = std::max(1e-6, processor_seconds() - start);
  const SimKernel kernel(text, unsigned(std::max(1.0, k_first_iterations * k_sample_seconds / seconds)));
  std::vector<double> rates;
  for (int i = 0; i < k_repetitions; ++i) {
    const double begin = processor_seconds();
    const double instructions = double(kernel.run(1, 1).instructions);
    rates.push_back(instructions / (processor_seconds() - begin));
  }
  if (text.flop_per_block == 0) {
    for (double& rate : rates)
      rate *= 1e-6;
    return print_rates(text.name, rates, "M/s", text.instructions_per_second * 1e-6);
  }
  for (double& rate : rates)
    rate *= text.flop_per_block / text.block_instructions * 1e-9;
  return print_rates(text.name, rates, "GFLOP/s", text.flop_per_second * 1e-9);
}

// The quickest of many short runs on one thread, over the quickest of as many on two: other load on the machine only
// ever makes a run slower.
bool measure_kernel_scaling(const SimKernelText& text) {
  const SimKernel kernel(text, k_first_iterations * 10);
  double one = std::numeric_limits<double>::max();
  double two = std::numeric_limits<double>::max();
  for (int i = 0; i < 10 * k_repetitions; ++i) {
    const double begin = wall_seconds();
    static_cast<void>(kernel.run(2 * k_workgroups_per_core, 1));
    const double middle = wall_seconds();
    static_cast<void>(kernel.run(2 * k_workgroups_per_core, 2));
    one = std::min(one, middle - begin);
    two = std::min(two, wall_seconds() - middle);
  }
  return print_rates(text.name + ", two cores over one", {one / two}, "x", k_least_scaling);
}

bool measure_attention(const std::string& device) {
  const SimAttentionTimes one = measure_sim_attention({device, 1, 256, 1024, 1}, 2 * k_repetitions);
  Series workgroup{device + " attention D128 N 1024, one workgroup", "ms", k_workgroup_limit_ms, one.processor_ms};
  bool kept = workgroup.print();
  std::vector<double> rates;
  for (const double milliseconds : one.processor_ms)
    rates.push_back(one.wave_instructions / milliseconds * 1e-3);
  const std::string counted = " wave instructions";
  print_rates(device + " the same, of " + std::to_string(std::uint64_t(one.wave_instructions)) + counted, rates, "M/s",
              0);
  // Alternating, and the quickest of each, because of other load on the machine.
  SimAttentionTimes all;
  double one_core = std::numeric_limits<double>::max();
  for (int i = 0; i < k_repetitions; ++i) {
    const SimAttentionTimes single = measure_sim_attention({device, 8, 1024, 1024, 1}, 2);
    const SimAttentionTimes both = measure_sim_attention({device, 8, 1024, 1024, 2}, 2);
    one_core = std::min(one_core, *std::min_element(single.wall_ms.begin(), single.wall_ms.end()));
    all.wall_ms.insert(all.wall_ms.end(), both.wall_ms.begin(), both.wall_ms.end());
  }
  const Series grid{device + " attention D128 N 1024, 32 workgroups, two cores", "ms", 0, all.wall_ms};
  kept = grid.print() && kept;
  const double ratio = one_core / *std::min_element(all.wall_ms.begin(), all.wall_ms.end());
  return print_rates(device + " the same, two cores over one", {ratio}, "x", k_least_scaling) && kept;
}

} // namespace

bool run_sim_group() {
  std::printf("rates: median, least, most; limits concern the most, of one core\n");
  bool kept = true;
  for (const SimKernelText& text : sim_kernels())
    kept = measure_kernel(text) && kept;
  kept = measure_kernel_scaling(sim_kernels().front()) && kept;
  for (const char* device : {"sim:mi300x", "sim:mi355x"})
    kept = measure_attention(device) && kept;
  return kept;
}

} // namespace hk::bench
