#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace hk::base {
namespace {

// posix_spawn's two option objects, prepared for one child.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&m_actions);
    ::posix_spawnattr_init(&m_attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&m_actions);
    ::posix_spawnattr_destroy(&m_attributes);
  }

  // Returns an error number, 0 = success.
  int prepare(const std::vector<int>& descriptors) {
    sigset_t all_signals;
    sigset_t no_signals;
    ::sigfillset(&all_signals);
    ::sigemptyset(&no_signals);
    ::posix_spawnattr_setsigdefault(&m_attributes, &all_signals);
    ::posix_spawnattr_setsigmask(&m_attributes, &no_signals);
    ::posix_spawnattr_setpgroup(&m_attributes, 0);
    ::posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    const int count = std::max<int>(3, static_cast<int>(descriptors.size()));
    for (int number = 0; number < count; ++number) {
      const int source = number < static_cast<int>(descriptors.size()) ? descriptors[number] : -1;
      if (const int error = place(source, number, count); error != 0)
        return error;
    }
    return ::posix_spawn_file_actions_addclosefrom_np(&m_actions, count);
  }

  const posix_spawn_file_actions_t* actions() const { return &m_actions; }
  const posix_spawnattr_t* attributes() const { return &m_attributes; }

 private:
  int place(int source, int number, int count) {
    if (source < 0)
      return ::posix_spawn_file_actions_addopen(&m_actions, number, "/dev/null", O_RDWR, 0);
    // A copy above all targets, so that no target overwrites a source that is still needed.
    UniqueFd copy(::fcntl(source, F_DUPFD_CLOEXEC, count));
    if (!copy.valid())
      return errno;
    const int error = ::posix_spawn_file_actions_adddup2(&m_actions, copy.get(), number);
    m_copies.push_back(std::move(copy));
    return error;
  }

  posix_spawn_file_actions_t m_actions{};
  posix_spawnattr_t m_attributes{};
  std::vector<UniqueFd> m_copies;
};

std::vector<char*> null_terminated(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts)
    pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

} // namespace

namespace {

Status start_failure(const std::string& program, int error) {
  const std::string message = "program " + program + " cannot be started: " + ::strerrordesc_np(error);
  if (error == EMFILE || error == ENFILE)
    return {StatusCode::out_of_memory, message + "; close some or raise the limit (ulimit -n)"};
  if (error == EAGAIN)
    return {StatusCode::out_of_memory, message + "; the user may have no more processes (ulimit -u)"};
  return {error == ENOMEM ? StatusCode::out_of_memory : StatusCode::internal, message};
}

} // namespace

std::string ExitStatus::text() const {
  switch (kind) {
  case Kind::exited:
    return "exit code " + std::to_string(number);
  case Kind::signalled: {
    const char* description = ::sigdescr_np(number);
    return "signal " + std::to_string(number) + (description != nullptr ? " (" + std::string(description) + ")" : "");
  }
  case Kind::lost:
    break;
  }
  return "unknown end (reaped by another part of the program)";
}

Result<Subprocess> Subprocess::start(const SubprocessOptions& options) {
  std::vector<std::string> arguments = {options.program};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  SpawnPlan plan;
  pid_t pid = -1;
  int error = plan.prepare(options.descriptors);
  if (error == 0)
    error = ::posix_spawn(&pid, options.program.c_str(), plan.actions(), plan.attributes(),
                          null_terminated(arguments).data(), null_terminated(options.environment).data());
  if (error != 0)
    return fail(start_failure(options.program, error));
  return Subprocess(pid);
}

Subprocess::Subprocess(pid_t pid) : m_pid(pid), m_process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}

Subprocess::Subprocess(Subprocess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_process(std::move(other.m_process)), m_status(other.m_status) {}

Subprocess& Subprocess::operator=(Subprocess&& other) noexcept {
  if (this != &other) {
    kill();
    m_pid = std::exchange(other.m_pid, -1);
    m_process = std::move(other.m_process);
    m_status = other.m_status;
  }
  return *this;
}

Subprocess::~Subprocess() {
  kill();
}

std::optional<ExitStatus> Subprocess::reap() noexcept {
  if (m_status || m_pid < 0)
    return m_status;
  int status = 0;
  pid_t reaped = -1;
  do {
    reaped = ::waitpid(m_pid, &status, WNOHANG);
  } while (reaped < 0 && errno == EINTR);
  if (reaped == 0)
    return std::nullopt;
  if (reaped < 0)
    m_status = ExitStatus{ExitStatus::Kind::lost, 0};
  else if (WIFSIGNALED(status))
    m_status = ExitStatus{ExitStatus::Kind::signalled, WTERMSIG(status)};
  else
    m_status = ExitStatus{ExitStatus::Kind::exited, WEXITSTATUS(status)};
  return m_status;
}

std::optional<ExitStatus> Subprocess::wait_until(Clock::time_point deadline) {
  while (true) {
    if (auto status = reap())
      return status;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0)
      return std::nullopt;
    if (m_process.valid()) {
      pollfd ended{m_process.get(), POLLIN, 0};
      ::poll(&ended, 1, static_cast<int>(std::min<std::int64_t>(left, 1000000)));
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(std::min<std::int64_t>(left, 5)));
    }
  }
}

void Subprocess::kill() noexcept {
  if (m_pid < 0 || reap())
    return;
  // The child is not reaped yet, so neither its number nor its group's can belong to anybody else.
  ::kill(-m_pid, SIGKILL);
  ::kill(m_pid, SIGKILL);
  while (!reap()) {
    pollfd ended{m_process.get(), POLLIN, 0};
    ::poll(&ended, m_process.valid() ? 1 : 0, m_process.valid() ? -1 : 1);
  }
}

} // namespace hk::base
