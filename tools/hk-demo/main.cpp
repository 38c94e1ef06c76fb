// The demo: an attention layer of Llama-3-8B on simulated GPUs. For each device, phase and kind of logits a first call
// (compiles), a second call (already loaded) and a call in a new process (from the cache folder), each checked
// against fp64. Exits 0 only if every check holds and every call found its kernel where it should.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "demo_case.h"
#include "hk/hk.hpp"

namespace {

using hk::demo::DemoCase;
using hk::demo::DemoRow;

std::vector<DemoCase> demo_cases(const std::string& device) {
  std::vector<DemoCase> cases;
  for (const bool decode : {false, true}) {
    for (const bool peaked : {false, true}) {
      DemoCase demo_case;
      demo_case.phase = decode ? "decode" : "prefill";
      demo_case.logits = peaked ? "peaked" : "random";
      demo_case.options.device = device;
      demo_case.options.seq_q = decode ? 1 : 512;
      demo_case.options.mask = HK_MASK_CAUSAL_BOTTOM_RIGHT;
      demo_case.options.input = peaked ? hk::command::InputKind::peaked : hk::command::InputKind::randn;
      cases.push_back(demo_case);
    }
  }
  return cases;
}

// The kernel of a phase is the same for both kinds of logits: the second kind finds it on disk.
const char* expected_source(const DemoCase& demo_case, const DemoRow& row) {
  if (row.call == "second")
    return "memory";
  return row.call == "first" && demo_case.logits == "random" ? "miss" : "disk";
}

void print_row(const DemoCase& demo_case, const DemoRow& row, bool ok) {
  std::printf("%-10s  %-7s  %-6s  %-11s  %-6s  %10.1f  %10.1f  %11.1f  %8.5f  %8.5f  %s\n",
              demo_case.options.device.c_str(), demo_case.phase.c_str(), demo_case.logits.c_str(), row.call.c_str(),
              row.source.c_str(), row.compile_ms, row.call_us, row.modelled_us, row.error, row.bound,
              ok ? "ok" : "FAILED");
  std::fflush(stdout);
}

int run_demo(const std::string& cache_folder) {
  std::printf("Llama-3-8B attention: batch 1, 32 query heads, 8 key/value heads, head dim 128, bf16, causal.\n"
              "prefill: 512 queries, 512 keys; decode: 1 query, 512 keys. Error: largest difference from fp64.\n"
              "'modelled us' is the time on the simulator's clock, a simple model, not a measurement.\n\n"
              "%-10s  %-7s  %-6s  %-11s  %-6s  %10s  %10s  %11s  %8s  %8s\n",
              "device", "phase", "logits", "call", "source", "compile ms", "call us", "modelled us", "error", "bound");
  int rows_in_all = 0;
  int failed = 0;
  for (const char* device : {"sim:mi300x", "sim:mi355x"}) {
    for (const DemoCase& demo_case : demo_cases(device)) {
      std::vector<DemoRow> rows = hk::demo::run_case(demo_case, cache_folder);
      rows.push_back(hk::demo::run_in_new_process(demo_case, cache_folder, rows.front().bound));
      for (const DemoRow& row : rows) {
        const bool ok = row.ok() && row.source == expected_source(demo_case, row);
        print_row(demo_case, row, ok);
        ++rows_in_all;
        failed += ok ? 0 : 1;
      }
    }
  }
  std::printf("\n%d of %d calls right and from the expected source\n", rows_in_all - failed, rows_in_all);
  return failed == 0 ? 0 : 1;
}

} // namespace

int main() {
  std::string folder = (std::filesystem::temp_directory_path() / "hk-demo-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror("hk-demo: cannot create a temporary folder for the cache");
    return 1;
  }
  int result = 1;
  try {
    result = run_demo(folder);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hk-demo: %s\n", error.what());
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return result;
}
