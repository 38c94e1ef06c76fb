#pragma once
// Subprocess: one child program, started with posix_spawn, waited for with a deadline, never left behind.
//
// The child gets exactly the descriptors and environment it is given, default signal handling, and a process group of
// its own (a terminal's Ctrl-C does not reach it; kill() reaches its children too). Needs glibc 2.34 (closefrom in the
// child).

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace hk::base {

struct SubprocessOptions {
  std::string program;                  // a path; the PATH variable is never searched
  std::vector<std::string> arguments;   // without argv[0], which is the program
  std::vector<std::string> environment; // "NAME=value"; the child sees these and no others
  // Element i becomes the child's descriptor i; -1 is /dev/null. Descriptors 0 to 2 not listed are /dev/null. The
  // caller keeps its own descriptors.
  std::vector<int> descriptors;
};

struct ExitStatus {
  // lost: another part of the program reaped the child, or SIGCHLD is ignored; how it ended is unknown.
  enum class Kind { exited, signalled, lost } kind = Kind::lost;
  int number = 0; // exit code or signal number

  [[nodiscard]] bool success() const { return kind == Kind::exited && number == 0; }
  // "exit code 3", "signal 11 (Segmentation fault)"
  [[nodiscard]] std::string text() const;
};

class Subprocess {
 public:
  using Clock = std::chrono::steady_clock;

  // The system's reason if the program cannot be started: OUT_OF_MEMORY if descriptors, processes or memory have run
  // out, else INTERNAL.
  static Result<Subprocess> start(const SubprocessOptions& options);

  Subprocess(Subprocess&& other) noexcept;
  Subprocess& operator=(Subprocess&& other) noexcept;
  // Kills the child with its process group and reaps it.
  ~Subprocess();

  [[nodiscard]] pid_t pid() const { return m_pid; }

  // The exit status, or nothing if the child still runs at the deadline. May be called again after either.
  std::optional<ExitStatus> wait_until(Clock::time_point deadline);
  // SIGKILL to the child and its process group, then reaps it. No effect on a child that has ended.
  void kill() noexcept;

 private:
  explicit Subprocess(pid_t pid);
  // Without blocking.
  std::optional<ExitStatus> reap() noexcept;

  pid_t m_pid = -1;
  UniqueFd m_process; // pidfd; invalid on kernels without pidfd_open
  std::optional<ExitStatus> m_status;
};

} // namespace hk::base
