#pragma once
// Counts what a process must not lose: descriptors and children.

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

namespace hk::compile {

inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
}

struct Child {
  pid_t pid = 0;
  char state = '?'; // 'Z' = zombie
};

// Children of this process, zombies included.
inline std::vector<Child> children() {
  std::vector<Child> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos)
      continue;
    std::ifstream file(entry.path() / "stat");
    std::string line;
    std::getline(file, line);
    // "pid (name) state parent ...": the name may hold anything, so count from its last parenthesis.
    const std::size_t end = line.rfind(')');
    if (end == std::string::npos || end + 4 > line.size())
      continue;
    if (std::stol(line.substr(end + 4)) == ::getpid())
      found.push_back({static_cast<pid_t>(std::stol(name)), line[end + 2]});
  }
  return found;
}

// Waits up to `limit` until `condition` holds.
template <typename Condition>
bool eventually(Condition condition, std::chrono::milliseconds limit = std::chrono::seconds(10)) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

} // namespace hk::compile
