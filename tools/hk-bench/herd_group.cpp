// Herds: processes that want the same kernel at the same moment, with an empty cache.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "groups.h"
#include "hk/hk.hpp"
#include "new_process.h"
#include "problem.h"
#include "series.h"

namespace hk::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int k_rounds = 5;
constexpr char k_ready[] = "ready\n";

struct HerdKind {
  std::string name;
  std::string device;
  int processes;
  int threads;
  std::string worker; // HK_COMPILE_WORKER; empty = the real one
};

struct HerdResult {
  double milliseconds = 0; // from the moment when all processes stand ready to the last answer
  std::uint64_t compiles = 0;
  std::uint64_t disk_hits = 0;
  int answered = 0; // processes
};

std::string read_until_end(int descriptor, std::string text, std::size_t enough = SIZE_MAX) {
  std::array<char, 4096> piece{};
  while (text.size() < enough) {
    const ssize_t bytes = read(descriptor, piece.data(), std::min(piece.size(), enough - text.size()));
    if (bytes <= 0)
      break;
    text.append(piece.data(), static_cast<std::size_t>(bytes));
  }
  return text;
}

// The gate is a pipe that nobody writes to: its end opens it for all.
HerdResult run_herd(const HerdKind& kind) {
  const CacheFolder folder;
  std::array<int, 2> gate{};
  std::array<int, 2> answers{};
  if (pipe2(gate.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe left");
  std::vector<std::string> variables = {folder.variable(), "HK_TUNE=off", "HK_DEVICE=" + kind.device};
  if (!kind.worker.empty())
    variables.push_back("HK_COMPILE_WORKER=" + kind.worker);
  std::vector<pid_t> members;
  members.reserve(static_cast<std::size_t>(kind.processes));
  for (int i = 0; i < kind.processes; ++i)
    members.push_back(start_self({"--herd-member", std::to_string(kind.threads)}, variables, gate[0], answers[1]));
  close(answers[1]);
  close(gate[0]);
  const std::size_t all_ready = (sizeof k_ready - 1) * members.size();
  const bool complete = read_until_end(answers[0], "", all_ready).size() == all_ready;
  const Clock::time_point start = Clock::now();
  close(gate[1]);
  const std::string text = read_until_end(answers[0], "");
  HerdResult result;
  result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  close(answers[0]);
  for (const pid_t member : members) {
    int status = 0;
    if (waitpid(member, &status, 0) == member && status == 0)
      ++result.answered;
  }
  std::istringstream numbers(text);
  for (std::uint64_t compiles = 0, disk_hits = 0; numbers >> compiles >> disk_hits;) {
    result.compiles += compiles;
    result.disk_hits += disk_hits;
  }
  if (!complete || result.answered != kind.processes)
    throw std::runtime_error(std::to_string(kind.processes - result.answered) + " processes of a herd failed");
  return result;
}

bool measure_herd(const HerdKind& kind) {
  Series time{kind.name + ": until all are served", "ms", 0, {}};
  Series compiles{kind.name + ": compiles", "", 1, {}};
  Series hits{kind.name + ": processes served by the entry of another", "", double(kind.processes - 1), {}, true};
  for (int round = 0; round < k_rounds; ++round) {
    const HerdResult result = run_herd(kind);
    time.values.push_back(result.milliseconds);
    compiles.values.push_back(static_cast<double>(result.compiles));
    hits.values.push_back(static_cast<double>(result.disk_hits));
  }
  const bool complete = time.print();
  const bool once = compiles.print();
  return hits.print() && once && complete;
}

} // namespace

int run_herd_member(int thread_count) {
  const Context context;
  if (write(STDOUT_FILENO, k_ready, sizeof k_ready - 1) != static_cast<ssize_t>(sizeof k_ready - 1))
    return 1;
  char ignored = 0;
  while (read(STDIN_FILENO, &ignored, 1) > 0)
    continue;
  const hk_attention_args args = dense_attention(128, 512, 512);
  std::vector<hk_status> answers(static_cast<std::size_t>(thread_count), HK_STATUS_INTERNAL);
  std::vector<std::thread> threads;
  threads.reserve(answers.size());
  for (hk_status& answer : answers)
    threads.emplace_back([&] {
      answer = hk_attention_prepare(context.get(), &args);
      if (answer != HK_STATUS_SUCCESS)
        std::fprintf(stderr, "hk-bench: %s\n", hk_last_error_message());
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const hk_status answer : answers)
    check(answer);
  const hk_statistics counters = context.statistics();
  std::printf("%llu %llu\n", static_cast<unsigned long long>(counters.compiles),
              static_cast<unsigned long long>(counters.disk_hits));
  return std::fflush(stdout) == 0 ? 0 : 1;
}

bool run_herd_group() {
  bool kept = measure_herd({"8 processes x 8 threads, real compiler, sim:mi355x", "sim:mi355x", 8, 8, ""});
  const std::string canned = HK_CANNED_WORKER;
  if (canned.empty() || access(canned.c_str(), X_OK) != 0) {
    std::printf("200 processes: left out, hk-canned-worker is not built (%s)\n", canned.c_str());
    return kept;
  }
  // A folder of its own: the worker writes down there what it was asked.
  const CacheFolder folder;
  const std::string worker = folder.path() + "/worker";
  if (symlink(canned.c_str(), worker.c_str()) != 0)
    throw std::runtime_error("cannot make " + worker);
  return measure_herd({"200 processes, compiler of 1 ms, null", "null", 200, 1, worker}) && kept;
}

} // namespace hk::bench
