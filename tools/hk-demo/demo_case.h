#pragma once
// One case of the demo: a problem on a device, called three times, each call checked against fp64.

#include <string>
#include <vector>

#include "attention_options.h"

namespace hk::demo {

// A row of the table.
struct DemoRow {
  std::string call;       // "first", "second", "new process"
  std::string source;     // miss: compiled; memory: loaded already; disk: from the cache folder
  double compile_ms = 0;  // 0 unless compiled
  double call_us = 0;     // host time of hk_attention, a compile included
  double modelled_us = 0; // device time on the simulated clock
  double error = 0;       // against fp64
  double bound = 0;       // 2 P + 2 ulp

  [[nodiscard]] bool ok() const { return error <= bound; } // false for NaN
};

struct DemoCase {
  std::string phase;  // "prefill", "decode"
  std::string logits; // "random", "peaked"
  command::AttentionOptions options;
};

// Throws hk::Error. cache_folder is used by this process and by the new one.
std::vector<DemoRow> run_case(const DemoCase& demo_case, const std::string& cache_folder);

// The same problem in a process of its own; bound is taken from a row of the same inputs. Throws std::runtime_error.
DemoRow run_in_new_process(const DemoCase& demo_case, const std::string& cache_folder, double bound);

} // namespace hk::demo
