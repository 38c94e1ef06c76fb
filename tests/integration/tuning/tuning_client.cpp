// A process that tunes: tuning_client MODE [import FILE | export FILE]. Device, folder and noise come from the
// environment. Prints what it decided, the digest of its records and the bits that it computed, one "name=value" each.

#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "decode_problem.h"

namespace {

using namespace hk;
using namespace hk::test;

std::string hex(const std::vector<std::uint16_t>& elements) {
  std::string text;
  char digits[8];
  for (const std::uint16_t element : elements) {
    std::snprintf(digits, sizeof(digits), "%04x", element);
    text += digits;
  }
  return text;
}

std::string member(const std::string& json, const std::string& name) {
  const std::string quoted = "\"" + name + "\":\"";
  const std::size_t begin = json.find(quoted);
  if (begin == std::string::npos)
    return "";
  const std::size_t from = begin + quoted.size();
  return json.substr(from, json.find('"', from) - from);
}

int run(const std::string& mode, const std::string& action, const std::string& file) {
  static const std::map<std::string, hk_tune> k_modes = {
      {"off", HK_TUNE_OFF}, {"lookup", HK_TUNE_LOOKUP}, {"missing", HK_TUNE_MISSING}, {"force", HK_TUNE_FORCE}};
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.tune = k_modes.at(mode);
  const Context context(&options);
  DecodeProblem problem(context);
  context.prepare(problem.args());
  if (action == "export")
    std::ofstream(file) << context.export_tuning();
  if (action == "import") {
    std::ifstream stream(file);
    context.import_tuning(std::string(std::istreambuf_iterator<char>(stream), {}), HK_TUNING_IMPORT_REPLACE);
  }
  const std::string first = hex(problem.run());
  const std::string second = hex(problem.run());
  const std::string description = context.describe(problem.args());
  const hk_statistics statistics = context.statistics();
  std::printf(
      "kernel=%s\nsource=%s\ntuner_runs=%llu\ncompiles=%llu\nself_checks=%llu\ndigest=%s\nfirst=%s\nsecond=%s\n",
      member(description, "kernel").c_str(), member(description, "source").c_str(),
      static_cast<unsigned long long>(statistics.tuner_runs), static_cast<unsigned long long>(statistics.compiles),
      static_cast<unsigned long long>(statistics.self_checks), context.tuning_digest().c_str(), first.c_str(),
      second.c_str());
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argv[1], argc > 3 ? argv[2] : "", argc > 3 ? argv[3] : "");
  } catch (const std::exception& error) {
    std::printf("error=%s\n", error.what());
    return 1;
  }
}
