// What test_subprocess.cpp starts: one behaviour per verb.

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern char** environ;

namespace {

int print_descriptors() {
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr)
    return 1;
  while (const dirent* entry = ::readdir(folder))
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(folder))
      std::printf("%s ", entry->d_name);
  ::closedir(folder);
  return 0;
}

int print_environment() {
  for (char** variable = environ; *variable != nullptr; ++variable)
    std::printf("%s\n", *variable);
  return 0;
}

int print_ignored_or_blocked_signals() {
  sigset_t blocked;
  ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int number = 1; number < 32; ++number) {
    struct sigaction action{};
    ::sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN || ::sigismember(&blocked, number) == 1)
      std::printf("%d ", number);
  }
  return 0;
}

int copy_line(int from, int to) {
  char letter = 0;
  while (::read(from, &letter, 1) == 1 && letter != '\n')
    if (::write(to, &letter, 1) != 1)
      return 1;
  return 0;
}

int sleep_with_grandchild() {
  const pid_t grandchild = ::fork();
  if (grandchild == 0) {
    ::sleep(60);
    ::_exit(0);
  }
  std::printf("%d\n", static_cast<int>(grandchild));
  std::fflush(stdout);
  ::sleep(60);
  return 0;
}

} // namespace

int main(int count, char** arguments) {
  const std::string verb = count > 1 ? arguments[1] : "";
  if (verb == "exit")
    return std::atoi(arguments[2]);
  if (verb == "arguments") {
    for (int i = 0; i < count; ++i)
      std::printf("[%s]", arguments[i]);
    return 0;
  }
  if (verb == "signal")
    return ::raise(std::atoi(arguments[2]));
  if (verb == "descriptors")
    return print_descriptors();
  if (verb == "environment")
    return print_environment();
  if (verb == "signals")
    return print_ignored_or_blocked_signals();
  if (verb == "copy-line")
    return copy_line(std::atoi(arguments[2]), std::atoi(arguments[3]));
  if (verb == "sleep")
    return sleep_with_grandchild();
  return 99;
}
