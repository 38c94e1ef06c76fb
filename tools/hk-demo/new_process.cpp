#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "demo_case.h"

namespace hk::demo {
namespace {

std::string command_line(const DemoCase& demo_case) {
  const command::AttentionOptions& options = demo_case.options;
  std::string line = "'" HK_DEMO_COMMAND "' run attention --check --json --mask causal --dtype bf16";
  line += " --device " + options.device;
  line += " --batch " + std::to_string(options.batch);
  line += " --heads " + std::to_string(options.heads);
  line += " --kv-heads " + std::to_string(options.kv_heads);
  line += " --seq-q " + std::to_string(options.seq_q);
  line += " --seq-k " + std::to_string(options.seq_k);
  line += " --head-dim " + std::to_string(options.head_dim);
  line += options.input == command::InputKind::peaked ? " --input peaked" : " --input randn";
  return line + " --seed " + std::to_string(options.seed);
}

std::string output_of(const std::string& line) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(line.c_str(), "r"), pclose);
  if (!pipe)
    throw std::runtime_error("cannot start a process: " + line);
  std::string text;
  char part[4096];
  while (std::fgets(part, sizeof part, pipe.get()) != nullptr)
    text += part;
  return text;
}

} // namespace

DemoRow run_in_new_process(const DemoCase& demo_case, const std::string& cache_folder, double bound) {
  setenv("HK_CACHE_DIR", cache_folder.c_str(), 1);
  const nlohmann::json report = nlohmann::json::parse(output_of(command_line(demo_case)), nullptr, false);
  if (report.is_discarded() || report.value("status", "") != "SUCCESS")
    throw std::runtime_error("the new process failed; its message is above");
  DemoRow row;
  row.call = "new process";
  row.source = report.value("cache", "");
  row.compile_ms = report.value("compile_ms", 0.0);
  row.call_us = report.value("call_us", 0.0);
  row.modelled_us = report.value("modelled_us", 0.0);
  // A NaN error is written as null.
  const bool number = report.contains("max_abs_err") && report["max_abs_err"].is_number();
  row.error = number ? report["max_abs_err"].get<double>() : std::numeric_limits<double>::quiet_NaN();
  row.bound = bound;
  return row;
}

} // namespace hk::demo
