#pragma once
// Clients: programs of cache_client.cpp, started by a test, and what they print.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/files.h"
#include "base/subprocess.h"
#include "base/unique_fd.h"
#include "canned_compiler.h"

namespace hk::test {

constexpr std::chrono::seconds k_client_patience{120};

// The variables of a client; the machine's own environment does not reach it.
using Variables = std::map<std::string, std::string>;

// On the null device, with exact kernels and no tuning, so that a number is a key. cache: for HK_CACHE_DIR. With more
// worker slots than processors, so that programs that run beside the test do not keep it waiting.
inline Variables client_variables(const std::string& cache, const std::string& worker) {
  Variables variables = {{"HK_DEVICE", "null"},      {"HK_CACHE_DIR", cache}, {"HK_COMPILE_WORKER", worker},
                         {"HK_SPECIALIZE", "exact"}, {"HK_TUNE", "off"},      {"HK_JIT_WORKERS", "32"}};
  if (const char* library_path = std::getenv("LD_LIBRARY_PATH"))
    variables["LD_LIBRARY_PATH"] = library_path;
  if (const char* options = std::getenv("TSAN_OPTIONS"))
    variables["TSAN_OPTIONS"] = options;
  return variables;
}

// The numbers that a client printed; one that it did not print is 0.
struct ClientReport {
  base::ExitStatus exit;
  std::map<std::string, std::uint64_t> numbers;

  std::uint64_t operator[](const std::string& name) const {
    const auto found = numbers.find(name);
    return found != numbers.end() ? found->second : 0;
  }
};

class Client {
 public:
  // stdin: descriptor for the client's gate, or -1.
  Client(const Variables& variables, std::vector<std::string> arguments, int gate = -1) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    m_output = base::UniqueFd(ends[0]);
    const base::UniqueFd write_end(ends[1]);
    base::SubprocessOptions options;
    options.program = HK_CACHE_CLIENT;
    options.arguments = std::move(arguments);
    for (const auto& [name, value] : variables)
      options.environment.push_back(name + "=" + value);
    options.descriptors = {gate, write_end.get(), STDERR_FILENO};
    auto process = base::Subprocess::start(options);
    REQUIRE_MESSAGE(process, process.error().message);
    m_process.emplace(std::move(*process));
  }

  [[nodiscard]] pid_t pid() const { return m_process->pid(); }

  // SIGKILL to the client alone, as the machine's memory killer does; its worker has to notice.
  void kill() { ::kill(pid(), SIGKILL); }

  // Until a client with a gate stands before it.
  void wait_until_ready() {
    char line[6];
    REQUIRE(::read(m_output.get(), line, sizeof(line)) == sizeof(line));
  }

  std::optional<base::ExitStatus> wait_for(std::chrono::milliseconds limit) {
    return m_process->wait_until(base::Subprocess::Clock::now() + limit);
  }

  ClientReport report() {
    const auto exit = wait_for(k_client_patience);
    REQUIRE_MESSAGE(exit.has_value(), "a client hangs");
    ClientReport report{*exit, {}};
    std::string text(1 << 16, '\0');
    const ssize_t bytes = ::read(m_output.get(), text.data(), text.size());
    std::istringstream words(text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))));
    for (std::string word; words >> word;)
      if (word != "ready")
        report.numbers[word.substr(0, word.find('='))] += std::stoull(word.substr(word.find('=') + 1));
    return report;
  }

 private:
  base::UniqueFd m_output;
  std::optional<base::Subprocess> m_process;
};

inline ClientReport run_client(const Variables& variables, std::vector<std::string> arguments) {
  return Client(variables, std::move(arguments)).report();
}

// Clients that wait for each other before their first call.
class Herd {
 public:
  // arguments_of(i): of the i-th client.
  Herd(int count, const Variables& variables, const std::function<std::vector<std::string>(int)>& arguments_of) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    const base::UniqueFd read_end(ends[0]);
    m_gate = base::UniqueFd(ends[1]);
    for (int i = 0; i < count; ++i) {
      std::vector<std::string> arguments = arguments_of(i);
      arguments.emplace_back("gate");
      m_clients.push_back(std::make_unique<Client>(variables, std::move(arguments), read_end.get()));
    }
  }
  // All alike.
  Herd(int count, const Variables& variables, const std::vector<std::string>& arguments)
      : Herd(count, variables, [&](int) { return arguments; }) {}

  // Opens the gate when all stand before it.
  void start() {
    for (const auto& client : m_clients)
      client->wait_until_ready();
    m_gate.reset();
  }
  std::vector<std::unique_ptr<Client>>& clients() { return m_clients; }

  // Waits for all, after start().
  std::vector<ClientReport> reports() {
    std::vector<ClientReport> reports;
    for (const auto& client : m_clients)
      reports.push_back(client->report());
    return reports;
  }

 private:
  base::UniqueFd m_gate;
  std::vector<std::unique_ptr<Client>> m_clients;
};

inline std::uint64_t sum_of(const std::vector<ClientReport>& reports, const std::string& name) {
  std::uint64_t sum = 0;
  for (const ClientReport& report : reports)
    sum += report[name];
  return sum;
}

} // namespace hk::test
