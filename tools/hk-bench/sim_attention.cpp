#include "sim_attention.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <stdexcept>

#include <dlfcn.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hk/hk.hpp"
#include "problem.h"

namespace hk::bench {
namespace {

constexpr int k_most_repetitions = 32;
constexpr int k_most_devices = 8;

// What the child writes into the pipe.
struct Report {
  double wave_instructions = 0;
  std::array<double, k_most_repetitions> wall_ms{};
  std::array<double, k_most_repetitions> processor_ms{};
};

double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double wall_milliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Keeps the process on the first `count` processors that it may use.
void use_processors(unsigned count) {
  cpu_set_t allowed;
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return;
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&wanted) < static_cast<int>(count); ++cpu)
    if (CPU_ISSET(cpu, &allowed))
      CPU_SET(cpu, &wanted);
  sched_setaffinity(0, sizeof wanted, &wanted);
}

// Of all devices of the libhksim that the context has loaded.
unsigned long long executed_instructions() {
  void* const library = dlopen("libhksim.so", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr)
    throw std::runtime_error("libhksim.so is not loaded");
  const auto function = reinterpret_cast<unsigned long long (*)(int)>(dlsym(library, "hksim_executed_instructions"));
  unsigned long long count = 0;
  for (int device = 0; function != nullptr && device < k_most_devices; ++device)
    count += function(device);
  dlclose(library);
  return count;
}

// Numbers near 1 of either sign, as bf16.
std::vector<std::uint16_t> sample_values(std::size_t count) {
  std::vector<std::uint16_t> values(count);
  std::uint32_t state = 1;
  for (std::uint16_t& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<std::uint16_t>(0x3f00U | (state >> 31 << 15) | (state >> 24 & 0xffU));
  }
  return values;
}

Report run_in_child(const SimAttentionCase& problem, int repetitions) {
  use_processors(problem.processors);
  const Context context(problem.device);
  hk_attention_args args = dense_attention(128, problem.rows, problem.keys);
  args.mask = HK_MASK_NONE;
  args.heads_q = args.heads_kv = problem.heads;
  args.q.stride_batch = args.o.stride_batch = problem.heads * args.q.stride_head;
  args.k.stride_batch = args.v.stride_batch = problem.heads * args.k.stride_head;
  const std::vector<std::uint16_t> rows = sample_values(static_cast<std::size_t>(args.q.stride_batch));
  const std::vector<std::uint16_t> keys = sample_values(static_cast<std::size_t>(args.k.stride_batch));
  DeviceArray<std::uint16_t> q(context, rows);
  DeviceArray<std::uint16_t> k(context, keys);
  DeviceArray<std::uint16_t> v(context, keys);
  DeviceArray<std::uint16_t> o(context, rows.size());
  args.q.data = q.data();
  args.k.data = k.data();
  args.v.data = v.data();
  args.o.data = o.data();
  context.attention(args); // compiles
  context.synchronize();
  Report report;
  for (int i = 0; i < repetitions; ++i) {
    const unsigned long long executed = executed_instructions();
    const double wall = wall_milliseconds();
    const double processor = processor_milliseconds();
    context.attention(args);
    context.synchronize();
    report.wall_ms[static_cast<std::size_t>(i)] = wall_milliseconds() - wall;
    report.processor_ms[static_cast<std::size_t>(i)] = processor_milliseconds() - processor;
    report.wave_instructions = static_cast<double>(executed_instructions() - executed);
  }
  return report;
}

} // namespace

SimAttentionTimes measure_sim_attention(const SimAttentionCase& problem, int repetitions) {
  repetitions = repetitions < k_most_repetitions ? repetitions : k_most_repetitions;
  int ends[2];
  if (pipe(ends) != 0)
    throw std::runtime_error("cannot make a pipe");
  const pid_t child = fork();
  if (child == 0) {
    int code = 1;
    try {
      const Report report = run_in_child(problem, repetitions);
      code = write(ends[1], &report, sizeof report) == sizeof report ? 0 : 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "hk-bench: %s\n", error.what());
    }
    _exit(code);
  }
  close(ends[1]);
  Report report;
  const bool complete = read(ends[0], &report, sizeof report) == sizeof report;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!complete)
    throw std::runtime_error("attention on " + problem.device + " failed");
  SimAttentionTimes times;
  times.wave_instructions = report.wave_instructions;
  times.wall_ms.assign(report.wall_ms.begin(), report.wall_ms.begin() + repetitions);
  times.processor_ms.assign(report.processor_ms.begin(), report.processor_ms.begin() + repetitions);
  return times;
}

} // namespace hk::bench
