// Slots that all processes of a user share: how many compiles run at a time, and what happens where there are none.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "compile/machine_slots.h"
#include "compile/worker_pool.h"
#include "fixture.h"

using namespace hk;
using namespace hk::compile;

namespace {

using Clock = MachineSlots::Clock;

Clock::time_point within(std::chrono::milliseconds time) {
  return Clock::now() + time;
}

constexpr std::chrono::milliseconds k_at_once{30};
constexpr std::chrono::seconds k_long{20};

template <typename Body>
pid_t start_child(const Body& body) {
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

// A pool whose workers write down when they work.
CompilerOptions counting_options(const TestFolder& folder, unsigned slots) {
  CompilerOptions options = options_in(folder);
  options.worker_program = folder.path() + "/count";
  options.slot_folder = folder.path() + "/slots";
  options.max_workers = slots;
  return options;
}

ToolChain any_tool_chain() {
  return {
      {"libhiprtc.so.6", "/nowhere/libhiprtc.so.6", "1"}, {"libamd_comgr.so.3", "/nowhere/libamd_comgr.so.3", "2"}, {}};
}

// `threads` threads with two compiles each.
void compile_with(const CompilerOptions& options, int threads) {
  WorkerPool pool(options, any_tool_chain());
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&pool] {
      for (int n = 0; n < 2; ++n)
        (void)pool.compile(vector_add_request());
    });
  for (std::thread& thread : running)
    thread.join();
}

struct Record {
  int compiles = 0;
  int most_at_a_time = 0;
};

Record read_record(const TestFolder& folder) {
  std::ifstream file(folder.path() + "/record");
  Record record;
  int running = 0;
  for (char letter = 0; file.get(letter);) {
    running += letter == '+' ? 1 : -1;
    record.compiles += letter == '+' ? 1 : 0;
    record.most_at_a_time = std::max(record.most_at_a_time, running);
  }
  return record;
}

// What is logged up to a level while this lives.
class HeardMessages {
 public:
  explicit HeardMessages(base::LogLevel level = base::LogLevel::debug) { base::set_log_callback(level, hear, this); }
  HeardMessages(const HeardMessages&) = delete;
  HeardMessages& operator=(const HeardMessages&) = delete;
  ~HeardMessages() { base::set_log_callback(base::LogLevel::off, nullptr, nullptr); }

  std::vector<std::string> texts;

 private:
  static void hear(int, const char* message, void* self) {
    static_cast<HeardMessages*>(self)->texts.emplace_back(message);
  }
};

} // namespace

TEST_SUITE_BEGIN("compile");

TEST_CASE("machine_slots: as many as there are, then none until one is given back") {
  const TestFolder folder;
  MachineSlots first(folder.path() + "/slots", 2);
  MachineSlots second(folder.path() + "/slots", 2); // another context, or another process
  const base::RangeLock one = first.take(within(k_at_once));
  base::RangeLock two = second.take(within(k_at_once));
  CHECK(one.held());
  CHECK(two.held());
  const HeardMessages warnings(base::LogLevel::warning);
  const Clock::time_point start = Clock::now();
  CHECK_FALSE(first.take(within(k_at_once)).held());
  CHECK_FALSE(second.take(within(k_at_once)).held());
  CHECK(Clock::now() - start >= 2 * k_at_once);
  // The holder may be stopped: after one vain wait nobody waits for it again.
  const Clock::time_point again = Clock::now();
  CHECK_FALSE(second.take(within(k_long)).held());
  CHECK(Clock::now() - again < k_long / 2);
  REQUIRE(warnings.texts.size() == 2); // one of each, however often it waits
  CHECK(contains(warnings.texts[0], folder.path() + "/slots"));
  two.release();
  base::RangeLock free_again = first.take(within(k_at_once));
  CHECK(free_again.held());
  // And from then on a slot is worth waiting for once more.
  const Clock::time_point anew = Clock::now();
  CHECK_FALSE(first.take(within(k_at_once)).held());
  CHECK(Clock::now() - anew >= k_at_once);
}

TEST_CASE("machine_slots: the folder and the lock file are for this user only, whatever the umask") {
  const TestFolder folder;
  const mode_t before = ::umask(0);
  MachineSlots slots(folder.path() + "/hk/slots", 1);
  CHECK(slots.take(within(k_at_once)).held());
  ::umask(before);
  struct stat information{};
  REQUIRE(::stat((folder.path() + "/hk/slots").c_str(), &information) == 0);
  CHECK((information.st_mode & 07777) == 0700);
  REQUIRE(::stat((folder.path() + "/hk/slots/slots").c_str(), &information) == 0);
  CHECK((information.st_mode & 07777) == 0600);
  CHECK(information.st_size == 0);
}

TEST_CASE("machine_slots: a slot is free again when its holder is killed") {
  const TestFolder folder;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t holder = start_child([&] {
    MachineSlots slots(folder.path() + "/slots", 1);
    const base::RangeLock slot = slots.take(within(k_at_once));
    const char letter = slot.held() ? 'y' : 'n';
    if (::write(ready[1], &letter, 1) == 1)
      ::pause();
  });
  char letter = 0;
  REQUIRE(::read(ready[0], &letter, 1) == 1);
  REQUIRE(letter == 'y');
  CHECK_FALSE(MachineSlots(folder.path() + "/slots", 1).take(within(k_at_once)).held());
  MachineSlots slots(folder.path() + "/slots", 1);
  std::thread killer([holder] {
    std::this_thread::sleep_for(k_at_once);
    ::kill(holder, SIGKILL);
  });
  const Clock::time_point start = Clock::now();
  CHECK(slots.take(within(k_long)).held());
  CHECK(Clock::now() - start < k_long / 2);
  killer.join();
  CHECK_FALSE(succeeded(holder));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("machine_slots: many threads that wait for one slot all get it") {
  constexpr int k_threads = 8;
  const TestFolder folder;
  MachineSlots slots(folder.path() + "/slots", 1);
  std::atomic<int> holders{0};
  std::atomic<int> together{0};
  std::atomic<int> without{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i)
    threads.emplace_back([&] {
      const base::RangeLock slot = slots.take(within(k_long));
      if (!slot.held())
        ++without;
      if (++holders > 1)
        ++together;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      --holders;
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(without == 0);
  CHECK(together == 0);
}

TEST_CASE("machine_slots: a folder that is not ours alone, cannot be made, or is empty text costs the slots, not the "
          "caller") {
  const TestFolder folder;
  REQUIRE(::mkdir((folder.path() + "/open").c_str(), 0700) == 0);
  REQUIRE(::chmod((folder.path() + "/open").c_str(), 0777) == 0);
  std::ofstream(folder.path() + "/file") << "no folder";
  std::filesystem::create_directory_symlink(folder.path(), folder.path() + "/link");
  REQUIRE(::mkdir((folder.path() + "/taken").c_str(), 0700) == 0);
  REQUIRE(::mkdir((folder.path() + "/taken/slots").c_str(), 0700) == 0); // where the lock file would be
  for (const std::string name : {"/open", "/open/slots", "/file", "/file/slots", "/link", "/taken"}) {
    CAPTURE(name);
    const HeardMessages heard;
    MachineSlots slots(folder.path() + name, 1);
    const Clock::time_point start = Clock::now();
    CHECK_FALSE(slots.take(within(k_long)).held());
    CHECK_FALSE(slots.take(within(k_long)).held());
    CHECK(Clock::now() - start < k_long);
    REQUIRE(heard.texts.size() == 1);
    CHECK(contains(heard.texts[0], folder.path()));
  }
  const HeardMessages heard;
  CHECK_FALSE(MachineSlots("", 1).take(within(k_long)).held());
  CHECK(heard.texts.empty());
}

TEST_CASE("machine_slots: a folder that is removed is made again") {
  const TestFolder folder;
  MachineSlots slots(folder.path() + "/slots", 1);
  CHECK(slots.take(within(k_at_once)).held());
  REQUIRE(base::remove_tree(folder.path() + "/slots"));
  CHECK(slots.take(within(k_at_once)).held());
}

TEST_CASE("machine_slots: processes together run at most as many compiles as there are slots") {
  const TestFolder folder;
  (void)stub_worker(folder, "count");
  for (const unsigned slots : {1U, 2U}) {
    CAPTURE(slots);
    const CompilerOptions options = counting_options(folder, slots);
    std::filesystem::remove(folder.path() + "/record");
    const pid_t first = start_child([&options] { compile_with(options, 3); });
    const pid_t second = start_child([&options] { compile_with(options, 3); });
    CHECK(succeeded(first));
    CHECK(succeeded(second));
    const Record record = read_record(folder);
    CHECK(record.compiles == 12);
    CHECK(record.most_at_a_time == static_cast<int>(slots));
  }
  // The same without the folder: each process has slots of its own, so that the check above can fail.
  CompilerOptions apart = counting_options(folder, 1);
  apart.slot_folder.clear();
  std::filesystem::remove(folder.path() + "/record");
  const pid_t first = start_child([&apart] { compile_with(apart, 3); });
  const pid_t second = start_child([&apart] { compile_with(apart, 3); });
  CHECK(succeeded(first));
  CHECK(succeeded(second));
  CHECK(read_record(folder).most_at_a_time == 2);
}

TEST_CASE("machine_slots: a pool that waits for too long compiles without, and holds none when it is idle") {
  const TestFolder folder;
  (void)stub_worker(folder, "count");
  CompilerOptions options = counting_options(folder, 1);
  MachineSlots others(options.slot_folder, 1);
  WorkerPool pool(options, any_tool_chain());
  {
    const base::RangeLock taken = others.take(within(k_at_once));
    REQUIRE(taken.held());
    CompileRequest request = vector_add_request();
    request.limits.wall = std::chrono::seconds(2); // of the wait, and then of the compile
    const Clock::time_point start = Clock::now();
    const auto result = pool.compile(request);
    REQUIRE_FALSE(result);
    CHECK(contains(result.error().message, "stub only counts"));
    CHECK(Clock::now() - start >= request.limits.wall);
  }
  CHECK(read_record(folder).compiles == 1);
  CHECK(others.take(within(k_at_once)).held()); // though the pool's worker still waits for work
}

TEST_CASE("machine_slots: HK_JIT_WORKERS is the number of slots, and every process of the user has the same folder") {
  base::Config config;
  config.jit_workers = 3;
  CHECK(compiler_options(config, codeobj::Platform::amd).max_workers == 3);
  CHECK(compiler_options(config, codeobj::Platform::amd).slot_folder == "/tmp/hk-" + std::to_string(::geteuid()));
}

TEST_SUITE_END();
