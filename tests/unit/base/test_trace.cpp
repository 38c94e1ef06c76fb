#include <doctest/doctest.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/trace.h"
#include "unit/base/scratch_folder.h"
#include "unit/cache/heard_warnings.h"

using hk::base::configure_trace;
using hk::base::trace_enabled;
using hk::base::TraceSpan;

namespace {

struct Untraced {
  ~Untraced() { configure_trace(""); }
};

// Everything in the file, as a viewer reads it: the array may stay open.
nlohmann::json events_in(const std::string& path) {
  return nlohmann::json::parse(hk::test::read_text(path) + "]");
}

std::vector<nlohmann::json> spans_in(const std::string& path) {
  std::vector<nlohmann::json> spans;
  for (const nlohmann::json& event : events_in(path))
    if (event.at("ph") == "X")
      spans.push_back(event);
  return spans;
}

// Runs body in a child process and says whether it went well.
template <typename Body>
pid_t start_child(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  return child;
}

bool succeeded(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

TEST_SUITE_BEGIN("base.trace");

TEST_CASE("off: nothing is written and the text of the object is never asked for") {
  REQUIRE_FALSE(trace_enabled());
  bool asked = false;
  {
    TraceSpan span("compile", [&asked] {
      asked = true;
      return std::string("never");
    });
    span.set_outcome("never");
  }
  CHECK_FALSE(asked);
}

TEST_CASE("a span has a name, an object, an outcome, a process, a thread and its time in microseconds") {
  const Untraced untraced;
  const hk::test::ScratchFolder folder;
  configure_trace(folder / "trace.json");
  REQUIRE(trace_enabled());
  {
    const TraceSpan outer("lookup", "outer \"quoted\"\n\\");
    TraceSpan inner("wait", [] { return std::string("inner"); });
    inner.set_outcome("settled");
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  const std::vector<nlohmann::json> spans = spans_in(folder / "trace.json");
  REQUIRE(spans.size() == 2); // the inner one ended first
  CHECK(spans[0].at("name") == "wait");
  CHECK(spans[0].at("args") == nlohmann::json{{"object", "inner"}, {"outcome", "settled"}});
  CHECK(spans[1].at("name") == "lookup");
  CHECK(spans[1].at("args") == nlohmann::json{{"object", "outer \"quoted\"\n\\"}});
  for (const nlohmann::json& span : spans) {
    CHECK(span.at("pid") == ::getpid());
    CHECK(span.at("tid") == ::gettid());
    CHECK(span.at("dur").get<double>() >= 3000);
    CHECK(span.at("dur").get<double>() < 3e6);
  }
  const double outer_start = spans[1].at("ts").get<double>();
  const double outer_end = outer_start + spans[1].at("dur").get<double>();
  const double inner_start = spans[0].at("ts").get<double>();
  CHECK(outer_start <= inner_start);
  CHECK(inner_start + spans[0].at("dur").get<double>() <= outer_end + 0.002); // rounding of two doubles
}

TEST_CASE("the process is named, %p in the file's name is its id, and a later context goes on in the same file") {
  const Untraced untraced;
  const hk::test::ScratchFolder folder;
  configure_trace(folder / "%p-trace-%p");
  const std::string process = std::to_string(::getpid());
  const std::string path = folder / (process + "-trace-" + process);
  {
    const TraceSpan span("load", "first");
  }
  configure_trace(folder / "%p-trace-%p");
  {
    const TraceSpan span("load", "second");
  }
  const nlohmann::json events = events_in(path);
  REQUIRE(events.size() == 3);
  CHECK(events[0].at("name") == "process_name");
  CHECK(events[0].at("args").at("name") == "test_base");
  CHECK(events[2].at("args").at("object") == "second");
}

TEST_CASE("a trace that was switched off and on again, and an empty file, still parse") {
  const Untraced untraced;
  const hk::test::ScratchFolder folder;
  hk::test::write_text(folder / "trace", "");
  for (int i = 0; i < 2; ++i) {
    configure_trace(folder / "trace");
    {
      const TraceSpan span("load", "kernel");
    }
    configure_trace("");
    {
      const TraceSpan span("load", "unseen");
    }
  }
  CHECK(spans_in(folder / "trace").size() == 2);
}

TEST_CASE("several processes with several threads share one file") {
  constexpr int k_processes = 6;
  constexpr int k_threads = 3;
  constexpr int k_spans = 40;
  const hk::test::ScratchFolder folder;
  const std::string path = folder / "trace";
  std::vector<pid_t> children;
  for (int i = 0; i < k_processes; ++i)
    children.push_back(start_child([&path] {
      configure_trace(path);
      std::vector<std::thread> threads;
      for (int t = 0; t < k_threads; ++t)
        threads.emplace_back([] {
          for (int n = 0; n < k_spans; ++n)
            const TraceSpan span("launch", std::string(static_cast<std::size_t>(n) * 20, 'x'));
        });
      for (std::thread& thread : threads)
        thread.join();
    }));
  CHECK(std::all_of(children.begin(), children.end(), succeeded));
  std::set<int> processes;
  std::set<int> threads;
  const std::vector<nlohmann::json> spans = spans_in(path);
  for (const nlohmann::json& span : spans) {
    processes.insert(span.at("pid").get<int>());
    threads.insert(span.at("tid").get<int>());
  }
  CHECK(spans.size() == std::size_t{k_processes} * k_threads * k_spans);
  CHECK(processes.size() == k_processes);
  CHECK(threads.size() == std::size_t{k_processes} * k_threads);
}

TEST_CASE("nothing has to happen at exit: a killed process leaves a readable trace") {
  const hk::test::ScratchFolder folder;
  const pid_t child = start_child([&folder] {
    configure_trace(folder / "trace");
    {
      const TraceSpan span("tune", "done");
    }
    const TraceSpan unfinished("tune", "unfinished");
    ::raise(SIGKILL);
  });
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  const std::vector<nlohmann::json> spans = spans_in(folder / "trace");
  REQUIRE(spans.size() == 1);
  CHECK(spans[0].at("args").at("object") == "done");
}

TEST_CASE("a file that cannot be written is one warning and no trace") {
  const Untraced untraced;
  const hk::test::ScratchFolder folder;
  hk::test::write_text(folder / "file", "");
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  for (const std::string& path :
       {folder / "file/trace", folder / "missing/trace", folder.path(), folder / "fifo", std::string("/dev/full")}) {
    CAPTURE(path);
    const hk::test::HeardWarnings warnings;
    configure_trace(path);
    configure_trace(path); // the next context
    CHECK_FALSE(trace_enabled());
    {
      const TraceSpan span("load", "kernel");
    }
    REQUIRE(warnings.texts().size() == 1);
    CHECK(warnings.texts()[0].find(path) != std::string::npos);
    CHECK(warnings.texts()[0].find("HK_TRACE") != std::string::npos);
  }
}

TEST_CASE("a write that fails ends the trace with one warning, and half an event is the last thing in the file") {
  const hk::test::ScratchFolder folder;
  CHECK(succeeded(start_child([&folder] {
    const hk::test::HeardWarnings warnings;
    configure_trace(folder / "trace");
    const rlimit limit{500, 500};
    if (!trace_enabled() || ::setrlimit(RLIMIT_FSIZE, &limit) != 0)
      ::_exit(1);
    for (int i = 0; i < 10; ++i)
      const TraceSpan span("load", "a kernel with a long name");
    if (trace_enabled() || warnings.texts().size() != 1)
      ::_exit(2);
  })));
  CHECK(hk::test::read_text(folder / "trace").size() == 500);
}

TEST_SUITE_END();
