#include <cstdio>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "groups.h"
#include "hk/hk.hpp"
#include "problem.h"
#include "series.h"

namespace hk::bench {
namespace {

constexpr int k_repetitions = 5;
constexpr double k_compile_limit_ms = 3000;
constexpr double k_memory_limit_mb = 400;

// One cold compile with a worker of its own. The worker has ended when the context is gone, so that the peak memory of
// this process's children is its.
double compile_ms(const std::string& device, const hk_attention_args& args) {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = device.c_str();
  options.cache_directory = "none";
  const Context context(&options);
  context.prepare(args);
  return static_cast<double>(context.statistics().compile_nanoseconds) * 1e-6;
}

struct Cold {
  double milliseconds = 0;
  double peak_mb = 0;
};

// In a child process, since peak memory of children never falls again within one.
Cold measure(const std::string& device, const hk_attention_args& args) {
  int ends[2];
  Cold cold;
  if (pipe(ends) != 0)
    return cold;
  const pid_t child = fork();
  if (child == 0) {
    int code = 1;
    try {
      cold.milliseconds = compile_ms(device, args);
      rusage children{};
      getrusage(RUSAGE_CHILDREN, &children);
      cold.peak_mb = static_cast<double>(children.ru_maxrss) / 1024;
      code = write(ends[1], &cold, sizeof cold) == sizeof cold ? 0 : 1;
    } catch (const Error& error) {
      std::fprintf(stderr, "hk-bench: %s\n", error.what());
    }
    _exit(code);
  }
  close(ends[1]);
  if (read(ends[0], &cold, sizeof cold) != sizeof cold)
    cold = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return cold;
}

} // namespace

bool run_compile_group() {
  bool kept = true;
  for (const char* device : {"sim:mi300x", "sim:mi355x"}) {
    for (const std::int64_t head_dim : {64, 128}) {
      for (const std::int64_t seq_q : {1, 512}) {
        const std::string what =
            std::string(device) + " attention d" + std::to_string(head_dim) + " Sq " + std::to_string(seq_q);
        Series time{"compile " + what, "ms", k_compile_limit_ms, {}};
        Series memory{"compile " + what + ", peak memory", "MB", k_memory_limit_mb, {}};
        for (int i = 0; i < k_repetitions; ++i) {
          const Cold cold = measure(device, dense_attention(head_dim, seq_q, 512));
          if (cold.milliseconds > 0) {
            time.values.push_back(cold.milliseconds);
            memory.values.push_back(cold.peak_mb);
          }
        }
        kept = time.print() && kept;
        kept = memory.print() && kept;
      }
    }
  }
  return measure_candidates() && kept;
}

} // namespace hk::bench
