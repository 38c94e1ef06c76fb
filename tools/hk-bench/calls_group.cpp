#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "groups.h"
#include "hk/hk.hpp"
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

// Starts this program as a probe and reads its two numbers.
bool probe(const std::string& device, double& create_ms, double& prepare_ms) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string line = "'" + program + "' --probe " + device;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(line.c_str(), "r"), pclose);
  return pipe && std::fscanf(pipe.get(), "%lf %lf", &create_ms, &prepare_ms) == 2;
}

bool measure_disk_hits() {
  std::string folder = (std::filesystem::temp_directory_path() / "hk-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    throw std::runtime_error("cannot create a temporary folder for the cache");
  setenv("HK_CACHE_DIR", folder.c_str(), 1);
  bool kept = true;
  for (const char* device : {"sim:mi300x", "sim:mi355x"}) {
    Series start{std::string("new process, ") + device + ": context", "ms", 0, {}};
    Series hit{std::string("new process, ") + device + ": disk hit (find, check, load)", "ms", k_disk_hit_limit_ms, {}};
    double create_ms = 0;
    double prepare_ms = 0;
    if (!probe(device, create_ms, prepare_ms)) // fills the cache
      throw std::runtime_error("the probe failed; its message is above");
    for (int i = 0; i < k_processes; ++i) {
      if (!probe(device, create_ms, prepare_ms))
        continue;
      start.values.push_back(create_ms);
      hit.values.push_back(prepare_ms);
    }
    kept = start.print() && kept;
    kept = hit.print() && kept;
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
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
