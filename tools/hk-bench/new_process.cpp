#include "new_process.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hk::bench {
namespace {

std::string name_of(const std::string& variable) {
  return variable.substr(0, variable.find('=') + 1);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  list.reserve(texts.size() + 1);
  for (std::string& text : texts)
    list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    bool replaced = false;
    for (const std::string& other : variables)
      replaced = replaced || std::string(*variable).starts_with(name_of(other));
    if (!replaced)
      all.emplace_back(*variable);
  }
  return all;
}

} // namespace

pid_t start_self(const std::vector<std::string>& arguments, const std::vector<std::string>& variables,
                 int standard_input, int standard_output) {
  std::vector<std::string> words = {std::filesystem::read_symlink("/proc/self/exe").string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = environment_with(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, standard_input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, standard_output, STDOUT_FILENO);
  pid_t process = -1;
  const int failed =
      posix_spawn(&process, words[0].c_str(), &actions, nullptr, pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw std::runtime_error("cannot start " + words[0]);
  return process;
}

std::string run_self(const std::vector<std::string>& arguments, const std::vector<std::string>& variables) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe left");
  const pid_t process = start_self(arguments, variables, STDIN_FILENO, ends[1]);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t bytes = 0; (bytes = read(ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(bytes));
  close(ends[0]);
  int status = 0;
  if (waitpid(process, &status, 0) != process || status != 0)
    throw std::runtime_error("a new process failed; its message is above");
  return text;
}

CacheFolder::CacheFolder() : m_path((std::filesystem::temp_directory_path() / "hk-bench-XXXXXX").string()) {
  if (mkdtemp(m_path.data()) == nullptr)
    throw std::runtime_error("cannot create a temporary folder for the cache");
}

CacheFolder::~CacheFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

} // namespace hk::bench
