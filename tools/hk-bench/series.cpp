#include "series.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

namespace hk::bench {

double Series::median() const {
  if (values.empty())
    return 0;
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 != 0 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

bool Series::print() const {
  if (values.empty()) {
    std::printf("%-66s  no value\n", name.c_str());
    return false;
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const bool kept = limit == 0 || (more_is_better ? median() >= limit : median() <= limit);
  std::printf("%-66s  %10.3f  %10.3f  %10.3f  %3zu  %-4s", name.c_str(), median(), *least, *most, values.size(),
              unit.c_str());
  if (limit != 0)
    std::printf("  %s %g: %s", more_is_better ? "at least" : "limit", limit, kept ? "ok" : "MISSED");
  std::printf("\n");
  std::fflush(stdout);
  return kept;
}

void print_header() {
  std::printf("%-66s  %10s  %10s  %10s  %3s\n", "", "median", "min", "max", "n");
}

void print_machine() {
  std::string model = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  }
  std::printf("machine: %s, %u CPUs\n", model.c_str(), std::thread::hardware_concurrency());
}

} // namespace hk::bench
