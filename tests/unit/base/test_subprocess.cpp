#include <doctest/doctest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "base/subprocess.h"
#include "unit/base/scratch_folder.h"

using hk::base::ExitStatus;
using hk::base::Subprocess;
using hk::base::SubprocessOptions;
using hk::base::UniqueFd;
using Clock = Subprocess::Clock;
using namespace std::chrono_literals;

namespace {

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;

  Pipe() {
    int ends[2] = {-1, -1};
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    read_end = UniqueFd(ends[0]);
    write_end = UniqueFd(ends[1]);
  }
};

std::string read_to_end(int descriptor) {
  std::string text;
  char letter = 0;
  while (::read(descriptor, &letter, 1) == 1)
    text.push_back(letter);
  return text;
}

SubprocessOptions child(std::vector<std::string> arguments) {
  SubprocessOptions options;
  options.program = HK_TEST_CHILD;
  options.arguments = std::move(arguments);
  return options;
}

ExitStatus run(SubprocessOptions options) {
  auto process = Subprocess::start(options);
  REQUIRE(process.has_value());
  const auto status = process->wait_until(Clock::now() + 10s);
  REQUIRE(status.has_value());
  return *status;
}

std::string output_of(SubprocessOptions options) {
  Pipe out;
  options.descriptors = {-1, out.write_end.get()};
  auto process = Subprocess::start(options);
  REQUIRE(process.has_value());
  out.write_end.reset();
  const std::string text = read_to_end(out.read_end.get());
  CHECK(process->wait_until(Clock::now() + 10s)->success());
  return text;
}

bool alive(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

} // namespace

TEST_SUITE_BEGIN("base.subprocess");

TEST_CASE("exit codes and signals are told apart") {
  CHECK(run(child({"exit", "0"})).success());
  const ExitStatus failed = run(child({"exit", "3"}));
  CHECK(failed.kind == ExitStatus::Kind::exited);
  CHECK(failed.text() == "exit code 3");
  const ExitStatus crashed = run(child({"signal", "15"}));
  CHECK(crashed.kind == ExitStatus::Kind::signalled);
  CHECK(crashed.number == SIGTERM);
  CHECK(crashed.text() == "signal 15 (Terminated)");
}

TEST_CASE("arguments arrive as they are, with no shell between") {
  CHECK(output_of(child({"arguments", "a b", "", "$HOME;'\"*"})) ==
        std::string("[") + HK_TEST_CHILD + "][arguments][a b][][$HOME;'\"*]");
}

TEST_CASE("the child sees the given environment and nothing else") {
  SubprocessOptions options = child({"environment"});
  options.environment = {"LANG=C", "X=1 2"};
  CHECK(output_of(options) == "LANG=C\nX=1 2\n");
}

TEST_CASE("the child has exactly the given descriptors, even if the host leaves others open") {
  const UniqueFd leaked(::open("/dev/null", O_RDONLY)); // no O_CLOEXEC: as careless hosts do
  REQUIRE(leaked.valid());
  CHECK(output_of(child({"descriptors"})) == "0 1 2 ");
}

TEST_CASE("descriptors are placed by position, also when two change places") {
  Pipe in;
  Pipe out;
  const int reader = in.read_end.get();
  const int writer = out.write_end.get();
  SubprocessOptions options = child({"copy-line", std::to_string(writer), std::to_string(reader)});
  options.descriptors.assign(static_cast<std::size_t>(std::max(reader, writer)) + 1, -1);
  options.descriptors[static_cast<std::size_t>(writer)] = reader;
  options.descriptors[static_cast<std::size_t>(reader)] = writer;
  auto process = Subprocess::start(options);
  REQUIRE(process.has_value());
  out.write_end.reset();
  REQUIRE(::write(in.write_end.get(), "hello\n", 6) == 6);
  CHECK(read_to_end(out.read_end.get()) == "hello");
  CHECK(process->wait_until(Clock::now() + 10s)->success());
}

TEST_CASE("the child starts with default signal handling, whatever the host has set") {
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto handler = ::signal(SIGPIPE, SIG_IGN);
  const std::string text = output_of(child({"signals"}));
  ::signal(SIGPIPE, handler);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  CHECK(text.empty());
}

TEST_CASE("a program that does not exist, is a folder or may not be run is an error naming it") {
  const hk::test::ScratchFolder folder;
  hk::test::write_text(folder / "plain", "#!/bin/sh\n");
  for (const std::string& program : {folder / "missing", folder.path(), folder / "plain"}) {
    SubprocessOptions options;
    options.program = program;
    const auto process = Subprocess::start(options);
    REQUIRE_FALSE(process.has_value());
    CHECK(process.error().message.find(program) != std::string::npos);
  }
}

TEST_CASE("a deadline passes while the child runs, and waiting may go on") {
  auto process = Subprocess::start(child({"sleep"}));
  REQUIRE(process.has_value());
  const auto begin = Clock::now();
  CHECK_FALSE(process->wait_until(begin + 50ms).has_value());
  CHECK(Clock::now() - begin >= 50ms);
  CHECK(Clock::now() - begin < 5s);
  CHECK_FALSE(process->wait_until(begin).has_value());
  process->kill();
  const auto status = process->wait_until(Clock::now());
  REQUIRE(status.has_value());
  CHECK(status->number == SIGKILL);
}

TEST_CASE("killing reaches the children of the child, and so does the end of the object") {
  for (const bool by_destructor : {false, true}) {
    Pipe out;
    SubprocessOptions options = child({"sleep"});
    options.descriptors = {-1, out.write_end.get()};
    auto started = Subprocess::start(options);
    REQUIRE(started.has_value());
    auto process = std::make_unique<Subprocess>(std::move(*started));
    const pid_t pid = process->pid();
    out.write_end.reset();
    std::string line;
    for (char letter = 0; ::read(out.read_end.get(), &letter, 1) == 1 && letter != '\n';)
      line.push_back(letter);
    const pid_t grandchild = static_cast<pid_t>(std::stoi(line));
    REQUIRE(alive(grandchild));
    if (by_destructor)
      process.reset();
    else
      process->kill();
    // The pipe's other ends are closed once both are gone.
    CHECK(read_to_end(out.read_end.get()).empty());
    CHECK_FALSE(alive(pid));
  }
}

TEST_CASE("a child that somebody else reaped is lost, not waited for") {
  auto process = Subprocess::start(child({"exit", "0"}));
  REQUIRE(process.has_value());
  REQUIRE(::waitpid(process->pid(), nullptr, 0) == process->pid());
  const auto status = process->wait_until(Clock::now() + 10s);
  REQUIRE(status.has_value());
  CHECK(status->kind == ExitStatus::Kind::lost);
  CHECK_FALSE(status->success());
}

TEST_CASE("no zombie and no descriptor is left after many children") {
  const auto count_descriptors = [] {
    int count = 0;
    for (int number = 0; number < 256; ++number)
      count += ::fcntl(number, F_GETFD) != -1 ? 1 : 0;
    return count;
  };
  const int before = count_descriptors();
  for (int i = 0; i < 20; ++i)
    run(child({"exit", "0"}));
  CHECK(count_descriptors() == before);
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_SUITE_END();
