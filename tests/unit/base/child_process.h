#pragma once
// Forked processes for tests of what several processes do to one folder.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

namespace hk::test {

// A forked process. The constructor returns when the body calls ready(); the process ends with the body, or is killed
// by end() or the destructor.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<void(const std::function<void()>& ready)>& body) {
    std::array<int, 2> gate{};
    REQUIRE(::pipe(gate.data()) == 0);
    m_child = ::fork();
    if (m_child == 0) {
      body([&] { (void)!::write(gate[1], "r", 1); });
      ::_exit(0);
    }
    ::close(gate[1]);
    char letter = 0;
    REQUIRE(::read(gate[0], &letter, 1) == 1);
    ::close(gate[0]);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { end(); }

  // Kills it and returns when it is gone.
  void end() {
    if (m_child > 0) {
      ::kill(m_child, SIGKILL);
      ::waitpid(m_child, nullptr, 0);
    }
    m_child = -1;
  }

 private:
  pid_t m_child = -1;
};

// Starts processes that wait for each other, so that they begin at once. body(i) returns an exit code.
inline std::vector<pid_t> start_together(int count, const std::function<int(int)>& body) {
  std::array<int, 2> gate{};
  REQUIRE(::pipe(gate.data()) == 0);
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(gate[1]);
      char ignored = 0;
      (void)!::read(gate[0], &ignored, 1); // returns when the parent closes its end
      ::_exit(body(i));
    }
    children.push_back(child);
  }
  ::close(gate[0]);
  ::close(gate[1]);
  return children;
}

// Waits for the process's end; -1 if it did not end by itself.
inline int exit_code(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace hk::test
