// SIGKILL of whole programs while they compile and publish, 500 times at random points.

#include <signal.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "folder_state.h"
#include "hk/hk.h"
#include "integration/canned_compiler/client_process.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr int k_kills = 500;
constexpr int k_most_kills = 2500;
constexpr int k_at_a_time = 4;
constexpr std::size_t k_wanted_left = 3;
constexpr std::size_t k_many_entries = 300;

// Reads every entry again and again, as another job does, and empties the folder when little is left to publish.
class Reader {
 public:
  explicit Reader(std::string folder) : m_folder(std::move(folder)), m_thread([this] { read(); }) {}
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { stop(); }

  void stop() {
    m_stopped = true;
    if (m_thread.joinable())
      m_thread.join();
  }
  [[nodiscard]] int reads() const { return m_reads; }
  // After stop().
  [[nodiscard]] const std::string& fault() const { return m_fault; }

 private:
  void read() {
    while (!m_stopped && m_fault.empty()) {
      const auto entries = stored_entries(m_folder);
      for (std::size_t i = 0; i < entries.size() && m_fault.empty(); ++i, ++m_reads)
        m_fault = entry_fault(entries[i]);
      if (entries.size() > k_many_entries)
        hk_cache_clear(m_folder.c_str(), nullptr);
    }
  }

  const std::string m_folder;
  std::atomic<bool> m_stopped{false};
  std::atomic<int> m_reads{0};
  std::string m_fault;
  std::thread m_thread;
};

// Programs that ask for 400 keys, each killed up to 2 ms after one of the first compiles of its round: they write,
// sync, link, sweep, compile the next one, or wait for each other. At least k_kills, and as many more as it takes until
// some died between the making of their file and its link, which a fast disk makes rare.
void kill_programs(const Variables& variables, const CannedCompiler& compiler, const std::string& folder) {
  std::mt19937 random(20);
  for (int round = 0; round * k_at_a_time < k_most_kills; ++round) {
    if (round * k_at_a_time >= k_kills && left_temporaries(folder).size() >= k_wanted_left)
      return;
    Herd herd(k_at_a_time, variables, [round](int i) {
      const int seed = round % 2 == 0 ? round : round * k_at_a_time + i; // every other time all want the same
      return std::vector<std::string>{"keys=1000:400", "contexts=0", "seed=" + std::to_string(seed)};
    });
    const std::size_t compiles = compiler.compiles() + 1 + random() % 8;
    herd.start();
    for (int i = 0; compiler.compiles() < compiles && i < 5000; ++i)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    for (const auto& client : herd.clients()) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
      client->kill();
    }
    for (const auto& client : herd.clients()) {
      const auto exit = client->wait_for(k_client_patience);
      REQUIRE(exit.has_value());
      CHECK(exit->number == SIGKILL);
    }
  }
}

} // namespace

TEST_SUITE_BEGIN("killed_publish");

TEST_CASE("killed publish: after 500 kills every entry ever seen was whole, no lock is held, every key is to be had at "
          "once, and the next sweep leaves nothing of the dead") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "cache";
  const std::string temporary = scratch / "temporary";
  REQUIRE(std::filesystem::create_directory(temporary));
  const CannedCompiler compiler;
  Variables variables = client_variables(folder, compiler.worker());
  variables["TMPDIR"] = temporary;
  Reader reader(folder);
  kill_programs(variables, compiler, folder);
  reader.stop();
  REQUIRE_MESSAGE(reader.fault().empty(), reader.fault());
  CHECK(reader.reads() > 1000);
  check_no_lock(folder);
  // Some died between the making of their file and its link: the kills met what they were meant to meet.
  const auto left = left_temporaries(folder);
  MESSAGE(compiler.compiles() << " compiles, " << reader.reads() << " reads, " << left.size() << " files of the dead");
  CHECK(left.size() >= k_wanted_left);
  for (const std::string& path : left)
    shift_time(path, -2 * 3600);
  for (const auto& item : std::filesystem::directory_iterator(temporary))
    shift_time(item.path(), -2 * 3600); // of dead workers

  const ClientReport report = run_client(variables, {"keys=1000:401"});
  CHECK(report.exit.success());
  CHECK(report["SUCCESS"] == 401);
  CHECK(report["not_stored"] == 0);
  CHECK(report["waited"] == 0);
  CHECK(report["wait_ms"] < 100);
  check_entries(folder, 401);
  CHECK(left_temporaries(folder).empty());
  CHECK(std::filesystem::is_empty(temporary));
  check_no_lock(folder);
}

TEST_SUITE_END();
