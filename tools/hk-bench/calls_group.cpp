#include <chrono>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>

#include "groups.h"
#include "hk/hk.hpp"
#include "new_process.h"
#include "problem.h"
#include "series.h"

namespace hk::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int k_processes = 15;
constexpr double k_disk_hit_limit_ms = 10;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Probe {
  double create_ms = 0;
  double prepare_ms = 0;
};

Probe probe(const std::string& device, const CacheFolder& folder) {
  Probe result;
  const std::string text = run_self({"--probe", device}, {folder.variable(), "HK_TUNE=off"});
  if (!(std::istringstream(text) >> result.create_ms >> result.prepare_ms))
    throw std::runtime_error("the probe printed: " + text);
  return result;
}

bool measure_disk_hits() {
  const CacheFolder folder;
  bool kept = true;
  for (const char* device : {"sim:mi300x", "sim:mi355x"}) {
    Series start{std::string("new process, ") + device + ": context", "ms", 0, {}};
    Series hit{std::string("new process, ") + device + ": disk hit (find, check, load)", "ms", k_disk_hit_limit_ms, {}};
    probe(device, folder); // fills the cache
    for (int i = 0; i < k_processes; ++i) {
      const Probe measured = probe(device, folder);
      start.values.push_back(measured.create_ms);
      hit.values.push_back(measured.prepare_ms);
    }
    kept = start.print() && kept;
    kept = hit.print() && kept;
  }
  return kept;
}

} // namespace

int run_probe(const std::string& device) {
  const Clock::time_point begin = Clock::now();
  const Context context(device);
  const double create_ms = milliseconds_since(begin);
  const Clock::time_point prepare = Clock::now();
  context.prepare(dense_attention(128, 512, 512));
  std::printf("%.4f %.4f\n", create_ms, milliseconds_since(prepare));
  return 0;
}

bool run_calls_group() {
  const bool warm = measure_warm_calls();
  return measure_disk_hits() && warm;
}

} // namespace hk::bench
