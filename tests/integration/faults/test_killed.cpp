// SIGKILL in the middle of a compile: of the worker, and of the program that asked it.

#include "surroundings.h"

#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/subprocess.h"
#include "cache_entry.h"

using namespace hk;
using namespace hk::test;

namespace {

// Whether the compiler is at work in this TMPDIR: it has made something of its own inside the worker's folder.
bool compiling(const ScratchFolder& temporary) {
  std::error_code ignored; // folders come and go
  for (const auto& entry : std::filesystem::directory_iterator(temporary.path(), ignored)) {
    if (!std::filesystem::is_empty(entry.path(), ignored) && !ignored)
      return true;
  }
  return false;
}

bool empty(const ScratchFolder& folder) {
  std::error_code ignored;
  return std::filesystem::is_empty(folder.path(), ignored);
}

template <typename Condition>
bool soon(Condition&& condition, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

constexpr std::chrono::seconds k_patience{60};

// Workers one of whose arguments is the process that they work for.
std::size_t workers_of(pid_t client) {
  std::size_t count = 0;
  std::error_code ignored;
  for (const auto& process : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream file(process.path() / "cmdline", std::ios::binary);
    const std::string words{std::istreambuf_iterator<char>(file), {}};
    const std::string argument = std::string(1, '\0') + std::to_string(client) + std::string(1, '\0');
    count += words.find("hk-compile-worker") != std::string::npos && words.find(argument) != std::string::npos ? 1 : 0;
  }
  return count;
}

base::Subprocess start_client(const ScratchFolder& temporary, const std::string& cache) {
  base::SubprocessOptions options;
  options.program = HK_FAULT_CLIENT;
  options.environment = {"HK_DEVICE=" + device_under_test(), "HK_CACHE_DIR=" + cache, "TMPDIR=" + temporary.path()};
  if (const char* library_path = std::getenv("LD_LIBRARY_PATH"))
    options.environment.push_back(std::string("LD_LIBRARY_PATH=") + library_path);
  options.descriptors = {-1, -1, STDERR_FILENO};
  auto process = base::Subprocess::start(options);
  REQUIRE_MESSAGE(process, process.error().message);
  return std::move(*process);
}

} // namespace

TEST_SUITE_BEGIN("killed");

TEST_CASE("killed: a worker in the middle of a compile, and the next call") {
  const Census census;
  const ScratchFolder temporary("/tmp");
  const Environment variable("TMPDIR", temporary.path());
  const Context context = open_in({});
  SmallCall call(context);
  const std::size_t others = compile::children().size();
  hk_status status = HK_STATUS_SUCCESS;
  std::string sentence;
  std::thread caller([&] {
    status = hk_attention(context.get(), &call.args(), nullptr, 0, nullptr);
    sentence = hk_last_error_message();
  });
  const bool caught = soon([&] { return compiling(temporary); }, k_patience);
  const std::vector<compile::Child> workers = compile::children();
  if (workers.size() == others + 1)
    ::kill(workers.back().pid, SIGKILL);
  caller.join();
  REQUIRE(caught);
  CHECK(workers.size() == others + 1);
  CHECK(std::string(hk_status_name(status)) == "COMPILER_CRASHED");
  CAPTURE(sentence);
  CHECK(sentence.find("signal 9") != std::string::npos);
  CHECK(sentence.find("attention_forward") != std::string::npos);
  call.check_untouched();
  CHECK(soon([&] { return empty(temporary); }, k_patience));
  call.expect_right();
}

TEST_CASE("killed: the host program in the middle of a compile leaves no worker after 2 s and no broken entry") {
  const Census census;
  const ScratchFolder scratch;
  const std::string cache = scratch / "cache";
  REQUIRE(std::filesystem::create_directory(cache));
  for (const int delay : {0, 15, 40}) { // milliseconds into the compiler's work
    CAPTURE(delay);
    const ScratchFolder temporary("/tmp");
    base::Subprocess client = start_client(temporary, cache);
    REQUIRE(soon([&] { return compiling(temporary); }, k_patience));
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    CHECK(workers_of(client.pid()) == 1);
    const pid_t killed = client.pid();
    REQUIRE(::kill(killed, SIGKILL) == 0); // the client alone, not its process group
    const auto status = client.wait_until(base::Subprocess::Clock::now() + k_patience);
    REQUIRE(status.has_value());
    CHECK(status->number == SIGKILL);
    CHECK(soon([&] { return workers_of(killed) == 0; }, std::chrono::seconds(2)));
    CHECK(soon([&] { return empty(temporary); }, k_patience));
    CHECK(all_sound(cache));
    CHECK(temporary_files_below(cache) <= 1);
  }
  // The next program is not hindered.
  const Context context = open_in({.cache = cache});
  SmallCall(context).expect_right();
  CHECK(entries_below(cache).size() == 1);
}

TEST_SUITE_END();
