// Tuning in processes of their own, on the simulated device of HK_DEVICE, with the real compiler.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "unit/base/scratch_folder.h"

namespace {

using hk::test::ScratchFolder;
using Report = std::map<std::string, std::string>;

// Kernels are compiled once for the whole test; every case puts the records that it wants beside them.
const std::string& kernel_folder() {
  static const ScratchFolder folder;
  return folder.path();
}

struct Output {
  std::vector<std::string> lines; // of stdout and stderr
  int status = -1;
};

Output run_program(const std::string& program, const std::string& environment = "") {
  const std::string command = "env HK_CACHE_DIR=" + kernel_folder() + " " + environment + " " + program + " 2>&1";
  Output output;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr)
    return output;
  std::vector<char> line(65536);
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr)
    output.lines.emplace_back(line.data());
  output.status = ::pclose(pipe);
  return output;
}

Report run_client(const std::string& arguments, const std::string& environment = "") {
  const Output output = run_program(HK_TUNING_CLIENT " " + arguments, environment);
  Report report;
  for (const std::string& text : output.lines) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos)
      report[text.substr(0, equals)] = text.substr(equals + 1, text.size() - equals - 2);
  }
  report["exit"] = std::to_string(output.status);
  return report;
}

std::string run_command(const std::string& arguments) {
  const Output output = run_program(HK_COMMAND " " + arguments);
  std::string text;
  for (const std::string& line : output.lines)
    text += line;
  CHECK_MESSAGE(output.status == 0, text);
  return text;
}

void forget_records() {
  static_cast<void>(hk::base::remove_tree(kernel_folder() + "/tune"));
}

void check_sound(const Report& report) {
  const auto value = [&](const char* name) {
    const auto found = report.find(name);
    return found == report.end() ? std::string() : found->second;
  };
  INFO(value("error"));
  CHECK(value("exit") == "0");
  CHECK(!value("first").empty());
  CHECK(value("first").find("7fff") == std::string::npos);
  CHECK(value("first") == value("second"));
}

std::size_t processes() {
  const char* wanted = std::getenv("HK_TUNING_PROCESSES");
  return wanted == nullptr ? 3 : static_cast<std::size_t>(std::atoi(wanted));
}

bool is_mi300x() {
  return std::string(std::getenv("HK_DEVICE")) == "sim:mi300x";
}

// Runs that many clients at once; the argument of command() is the client's number from 1.
template <typename Arguments, typename Environment>
std::vector<Report> run_together(std::size_t count, const Arguments& arguments, const Environment& environment) {
  std::vector<Report> reports(count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] { reports[i] = run_client(arguments(i + 1), environment(i + 1)); });
  for (std::thread& thread : threads)
    thread.join();
  return reports;
}

std::string noise(std::size_t client) {
  return "HK_SIM_NOISE=" + std::to_string(client) + ":0.05:0.02";
}

} // namespace

TEST_SUITE_BEGIN("tuning");

TEST_CASE("tuning: processes that start cold together tune once, and all take the winner") {
  const std::vector<Report> reports =
      run_together(processes(), [](std::size_t) { return "missing"; }, [](std::size_t) { return ""; });
  int runs = 0;
  std::set<std::string> kernels;
  std::set<std::string> digests;
  std::set<std::string> bits;
  for (const Report& report : reports) {
    check_sound(report);
    runs += std::atoi(report.at("tuner_runs").c_str());
    kernels.insert(report.at("kernel"));
    digests.insert(report.at("digest"));
    bits.insert(report.at("first"));
  }
  CHECK(runs == 1);
  CHECK(kernels.size() == 1);
  CHECK(digests.size() == 1);
  CHECK(bits.size() == 1);
  // One wave per workgroup leaves half of a compute unit's SIMDs idle on MI300X: the model says 1.5 times slower.
  if (is_mi300x())
    CHECK(*kernels.begin() == "attention_forward__bf16_d128_gqa4__q128_kv64_w4");
  else
    CHECK(*kernels.begin() == "attention_forward__bf16_d128_gqa4__q32_kv32_w1");

  // A later process takes the record and compiles nothing.
  const Report later = run_client("lookup");
  check_sound(later);
  CHECK(later.at("source") == "tuning record, modelled");
  CHECK(later.at("kernel") == *kernels.begin());
  CHECK(later.at("compiles") == "0");
  CHECK(later.at("first") == *bits.begin());
  // Without records the default serves. On MI300X that is another kernel, whose sums have another order.
  const Report off = run_client("off");
  check_sound(off);
  CHECK(off.at("kernel") == "attention_forward__bf16_d128_gqa4__q32_kv32_w1");
  if (is_mi300x())
    CHECK(off.at("first") != *bits.begin());
}

TEST_CASE("tuning: processes that measured different noise agree after export and import, bit by bit") {
  forget_records();
  const std::string file = kernel_folder() + "/exported";
  const Report exporter = run_client("force export " + file, noise(1));
  check_sound(exporter);
  CHECK(exporter.at("tuner_runs") == "1");
  const std::vector<Report> reports = run_together(
      processes() - 1, [&](std::size_t) { return "force import " + file; },
      [](std::size_t client) { return noise(client + 1); });
  for (const Report& report : reports) {
    check_sound(report);
    CHECK(report.at("tuner_runs") == "1");
    CHECK(report.at("digest") == exporter.at("digest"));
    CHECK(report.at("kernel") == exporter.at("kernel"));
    CHECK(report.at("first") == exporter.at("first"));
  }
}

TEST_CASE("tuning: a noisy clock does not hide a gap of 50 %, nor invent one of 1 %") {
  forget_records();
  const Report report = run_client("missing", noise(77));
  check_sound(report);
  CHECK(report.at("tuner_runs") == "1");
  if (is_mi300x())
    CHECK(report.at("kernel") == "attention_forward__bf16_d128_gqa4__q128_kv64_w4");
  else
    CHECK(report.at("kernel") == "attention_forward__bf16_d128_gqa4__q32_kv32_w1");
}

TEST_CASE("tuning: the command measures, lists, exports and imports, and explains cache entries") {
  forget_records();
  const std::string problem = "attention --heads 4 --kv-heads 1 --seq-q 1 --seq-k 256";
  const std::string winner = is_mi300x() ? "q128_kv64_w4" : "q32_kv32_w1";
  const std::string table = run_command("tune " + problem);
  CHECK(table.find("attention_forward__bf16_d128_gqa4__bh4_q1_k256\nconfiguration") == 0);
  CHECK(table.find("* " + winner) != std::string::npos);
  CHECK(table.find("q256_kv64_w8") != std::string::npos);
  const std::string json = run_command("tune " + problem + " --json");
  CHECK(json.find(R"("winner":")" + winner + R"(","default":"q32_kv32_w1")") != std::string::npos);
  CHECK(json.find(R"("waves_per_cu":)") != std::string::npos);

  const std::string file = kernel_folder() + "/records";
  run_command("tune export " + file);
  const std::string shown = run_command("tune show");
  CHECK(shown.find("modelled  " + winner) != std::string::npos);
  forget_records();
  CHECK(run_command("tune show --json") == "[]\n");
  CHECK(run_command("tune show") == "no records\n");
  CHECK(run_command("tune import " + file).find("digest ") == 0);
  CHECK(run_command("tune show") == shown);
  CHECK(run_program(HK_COMMAND " tune import /nonexistent").status != 0);

  CHECK(run_command("cache why " + problem).find("stored: true") != std::string::npos);
  const std::string why = run_command("cache why attention --heads 4 --kv-heads 1 --seq-q 2 --seq-k 256 --mask causal");
  CHECK(why.find("stored: false") != std::string::npos);
  CHECK(why.find("differing_field: spec symbol") != std::string::npos);
}

TEST_CASE("tuning: the self-check runs where it is asked for, on the simulated device too") {
  const ScratchFolder folder;
  const Report report = run_client("off", "HK_SELFCHECK=always HK_CACHE_DIR=" + folder.path());
  check_sound(report);
  CHECK(report.at("compiles") == "1");
  CHECK(report.at("self_checks") == "1");
}

TEST_SUITE_END();
