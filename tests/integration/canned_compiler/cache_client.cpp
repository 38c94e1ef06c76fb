// A host program that asks for kernels on HK_DEVICE and prints what came of it as words "name=number": how often each
// status, how many failures came with a log, and the context's counters. Arguments, all optional:
//   keys=FIRST:COUNT     problems with seq_k = FIRST ... FIRST + COUNT - 1, each an exact kernel of its own (1000:1)
//   threads=N            each asks for every key (1)
//   seed=N               each thread takes the keys in an order of its own (in order)
//   contexts=N           one after the other, each with all of the above; 0 = until killed (1)
//   seconds=N            contexts one after the other for so long
//   gate                 writes a line when the first context is there, then waits for the end of stdin
//   umask=OCTAL files=LIMIT bytes=LIMIT    of this process: mask, descriptors, size of a file
//   streams=closed       closes stdin, stdout and stderr before anything else, and prints to them all the same
//   children=ignored|reaped    by a SIGCHLD handler of the host
//   locale=grouping            the host's C++ locale groups digits
//   uid=NUMBER                 becomes this user first
//   fork=before|after    runs in a forked child; after: of a process that has compiled
//   fork=during          a child is forked in the middle of the first compile and stays for 3 s
// Exit code 0 if every call gave a status.

#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hk/hk.hpp"
#include "integration/canned_compiler/exact_problem.h"

namespace {

struct Arguments {
  long first = 1000;
  long count = 1;
  int threads = 1;
  long seed = -1;
  long contexts = 1;
  long seconds = 0;
  bool gate = false;
  std::string fork;
  int report = STDOUT_FILENO; // a copy of stdout with streams=closed
};

// Sums over all contexts.
struct Outcome {
  std::mutex mutex; // guards what follows
  std::map<std::string, unsigned long long> numbers;

  void add(const std::string& name, unsigned long long number) {
    const std::lock_guard lock(mutex);
    numbers[name] += number;
  }
  bool is_first_failure() { return !failed.exchange(true); } // one sentence is enough for whoever reads stderr
  std::atomic<bool> failed{false};
};

class GroupedDigits : public std::numpunct<char> {
  [[nodiscard]] char do_thousands_sep() const override { return '.'; }
  [[nodiscard]] std::string do_grouping() const override { return "\3"; }
};

void reap_everything(int) {
  while (::waitpid(-1, nullptr, WNOHANG) > 0)
    continue;
}

void set_limit(const std::string& name, const std::string& value) {
  if (name == "umask") {
    ::umask(static_cast<mode_t>(std::stoul(value, nullptr, 8)));
  } else if (name == "files") {
    const struct rlimit limit{std::stoul(value), std::stoul(value)};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  } else if (name == "bytes") {
    const struct rlimit limit{std::stoul(value), std::stoul(value)};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  } else if (name == "children") {
    std::signal(SIGCHLD, value == "ignored" ? SIG_IGN : reap_everything);
  } else if (name == "locale") {
    std::locale::global(std::locale(std::locale(), new GroupedDigits));
  } else if (name == "uid") {
    const auto user = static_cast<uid_t>(std::stoul(value));
    if (::setgroups(0, nullptr) != 0 || ::setgid(user) != 0 || ::setuid(user) != 0)
      std::exit(3);
  }
}

int close_streams() {
  constexpr int k_far_above = 50;
  const int copy = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, k_far_above);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::close(stream);
  return copy;
}

// As a host does that does not know that nobody listens.
void print_to_closed_streams() {
  constexpr std::string_view k_text = "a line of the host program\n";
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    (void)!::write(stream, k_text.data(), k_text.size());
}

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string text = texts[i];
    const std::string name = text.substr(0, text.find('='));
    const std::string value = name.size() < text.size() ? text.substr(name.size() + 1) : "";
    if (name == "keys") {
      arguments.first = std::stol(value);
      arguments.count = std::stol(value.substr(value.find(':') + 1));
    } else if (name == "threads")
      arguments.threads = std::stoi(value);
    else if (name == "seed")
      arguments.seed = std::stol(value);
    else if (name == "contexts")
      arguments.contexts = std::stol(value);
    else if (name == "seconds") {
      arguments.seconds = std::stol(value);
      arguments.contexts = 0;
    } else if (name == "gate")
      arguments.gate = true;
    else if (name == "streams")
      arguments.report = close_streams();
    else if (name == "fork")
      arguments.fork = value;
    else
      set_limit(name, value);
  }
  return arguments;
}

void ask_for_all(const hk::Context& context, const Arguments& arguments, unsigned thread, Outcome& outcome) {
  std::vector<long> keys(static_cast<std::size_t>(arguments.count));
  std::iota(keys.begin(), keys.end(), arguments.first);
  if (arguments.seed >= 0) {
    std::mt19937 random(static_cast<unsigned>(arguments.seed) * 1009U + thread);
    std::shuffle(keys.begin(), keys.end(), random);
  }
  for (const long key : keys) {
    const hk_attention_args args = hk::test::exact_problem(key);
    const hk_status status = hk_attention(context.get(), &args, nullptr, 0, nullptr);
    outcome.add(hk_status_name(status), 1);
    if (arguments.report != STDOUT_FILENO)
      print_to_closed_streams();
    if (status != HK_STATUS_SUCCESS && *hk_last_error_detail() != '\0')
      outcome.add("logs", 1);
    if (status != HK_STATUS_SUCCESS && outcome.is_first_failure())
      std::fprintf(stderr, "%s: %s [%s]\n", hk_status_name(status), hk_last_error_message(), hk_last_error_detail());
  }
}

void add_statistics(const hk::Context& context, Outcome& outcome) {
  const hk_statistics counters = context.statistics();
  outcome.add("launches", counters.launches);
  outcome.add("memory_hits", counters.memory_hits);
  outcome.add("disk_hits", counters.disk_hits);
  outcome.add("compiles", counters.compiles);
  outcome.add("joined", counters.joined);
  outcome.add("rejected_entries", counters.rejected_entries);
  outcome.add("failures", counters.failures);
  outcome.add("waited", counters.waited);
  outcome.add("wait_ms", counters.wait_nanoseconds / 1000000);
  outcome.add("kept_failures", counters.kept_failures);
  outcome.add("tuner_runs", counters.tuner_runs);
  outcome.add("not_stored", counters.not_stored);
  outcome.add("evicted_entries", counters.evicted_entries);
}

void wait_at_gate() {
  std::puts("ready");
  std::fflush(stdout);
  char ignored = 0;
  while (::read(STDIN_FILENO, &ignored, 1) > 0)
    continue;
}

int run(const Arguments& arguments) {
  Outcome outcome;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(arguments.seconds);
  const auto over = [&](long round) {
    return arguments.seconds != 0 ? std::chrono::steady_clock::now() >= end
                                  : arguments.contexts != 0 && round >= arguments.contexts;
  };
  for (long round = 0; !over(round); ++round) {
    const hk::Context context;
    if (arguments.gate && round == 0)
      wait_at_gate();
    std::vector<std::thread> threads;
    for (int i = 1; i < arguments.threads; ++i)
      threads.emplace_back([&, i] { ask_for_all(context, arguments, static_cast<unsigned>(i), outcome); });
    ask_for_all(context, arguments, 0, outcome);
    for (std::thread& thread : threads)
      thread.join();
    add_statistics(context, outcome);
  }
  if (arguments.report != STDOUT_FILENO)
    ::dup2(arguments.report, STDOUT_FILENO);
  for (const auto& [name, number] : outcome.numbers)
    std::printf("%s=%llu ", name.c_str(), number);
  std::printf("\n");
  return std::fflush(stdout) == 0 ? 0 : 1;
}

// While another thread compiles.
std::thread fork_soon() {
  return std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    if (::fork() != 0)
      return;
    // Nothing of the caller's is waited for through this child.
    ::close(STDOUT_FILENO);
    ::close(STDERR_FILENO);
    ::sleep(3);
    ::_exit(0);
  });
}

int run_unless_forked(const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const hk::Error& error) {
    std::printf("%s=1\n", hk_status_name(error.status()));
    return std::fflush(stdout) == 0 ? 0 : 1;
  }
}

int run_in_child(const Arguments& arguments) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(run_unless_forked(arguments));
  int status = 0;
  if (::waitpid(child, &status, 0) != child) // a host that ignores SIGCHLD learns nothing of it
    return 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace

int main(int count, char** texts) {
  try {
    const Arguments arguments = parse(count, texts);
    if (arguments.fork == "before")
      return run_in_child(arguments);
    if (arguments.fork == "after") {
      const hk::Context used;
      const hk_attention_args args = hk::test::exact_problem(arguments.first);
      used.attention(args);
      return run_in_child(arguments);
    }
    std::thread forking = arguments.fork == "during" ? fork_soon() : std::thread();
    const int code = run(arguments);
    if (forking.joinable())
      forking.join();
    return code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
