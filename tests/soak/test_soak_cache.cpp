// Three programs with three threads each make and destroy contexts and ask for 600 kernels, while a folder that holds a
// quarter of them evicts all the time and short programs come and go. Nothing may grow. HK_SOAK_SECONDS: 300 if unset.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "footprint.h"
#include "integration/canned_compiler/client_process.h"
#include "integration/faults/folder_state.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr int k_programs = 3;
constexpr std::uint64_t k_folder_bytes = 2 << 20;
constexpr std::chrono::milliseconds k_sample_time{100};

int soak_seconds() {
  const char* seconds = std::getenv("HK_SOAK_SECONDS");
  return seconds != nullptr ? std::atoi(seconds) : 300;
}

struct Watched {
  std::unique_ptr<Client> client;
  Series memory;
  Series descriptors;
};

class Soak {
 public:
  Soak() {
    m_variables["TMPDIR"] = m_temporary.path();
    m_variables["HK_CACHE_MAX_BYTES"] = std::to_string(k_folder_bytes);
    for (int i = 0; i < k_programs; ++i) {
      const std::string name = "program " + std::to_string(i);
      m_programs.push_back({std::make_unique<Client>(m_variables, arguments(i, soak_seconds())),
                            Series(name + ", KiB of memory"), Series(name + ", descriptors")});
    }
  }

  void run() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(soak_seconds()) - k_sample_time;
    std::thread passers_by([&] {
      for (int i = 0; std::chrono::steady_clock::now() < end; ++i)
        m_passed.push_back(run_client(m_variables, {"keys=1000:60", "threads=2", "seed=" + std::to_string(1000 + i)}));
    });
    while (std::chrono::steady_clock::now() < end) {
      sample();
      std::this_thread::sleep_for(k_sample_time);
    }
    passers_by.join();
    for (const Watched& program : m_programs)
      m_stayed.push_back(program.client->report());
  }

  void check() {
    // glibc keeps an arena for each thread that ever was; a leaked kernel would be megabytes a minute.
    constexpr std::uint64_t k_memory_noise = 4096;
    constexpr std::uint64_t k_in_flight = 16; // a worker being started, an entry being written
    for (const Watched& program : m_programs) {
      check_growth(program.memory, program.memory.early() / 20 + k_memory_noise);
      check_growth(program.descriptors, k_in_flight);
    }
    check_growth(m_files, m_files.early() / 20 + k_in_flight);
    check_growth(m_temporary_files, k_in_flight);
    // A process may exceed the size by 1/64 and an entry (cache/housekeeping.h). While one of them evicts, the others
    // store on, here a thousand entries a second: the most that was ever seen is printed only.
    constexpr std::uint64_t k_allowed = (k_folder_bytes + (k_programs + 1) * (k_folder_bytes / 64 + (64 << 10))) / 1024;
    check_growth(m_bytes, m_bytes.early() / 20 + k_allowed / 20);
    std::printf("%-28s %8llu allowed, %llu at most\n", "", static_cast<unsigned long long>(k_allowed),
                static_cast<unsigned long long>(m_bytes.largest()));
    CHECK(m_bytes.late() <= k_allowed);
    check_answers();
  }

 private:
  static std::vector<std::string> arguments(int program, int seconds) {
    return {"keys=1000:600", "threads=3", "seed=" + std::to_string(program), "seconds=" + std::to_string(seconds)};
  }

  void sample() {
    for (Watched& program : m_programs) {
      program.memory.add(resident_bytes(program.client->pid()) / 1024);
      program.descriptors.add(descriptors_of(program.client->pid()));
    }
    const FolderUse use = use_of(m_folder);
    m_files.add(use.files);
    m_bytes.add(use.bytes / 1024);
    std::error_code ignored;
    m_temporary_files.add(static_cast<std::uint64_t>(
        std::distance(std::filesystem::directory_iterator(m_temporary.path(), ignored), {})));
  }

  static void check_growth(const Series& series, std::uint64_t noise) {
    const std::uint64_t growth = series.late() > series.early() ? series.late() - series.early() : 0;
    std::printf("%-28s %8llu -> %8llu\n", series.name().c_str(), static_cast<unsigned long long>(series.early()),
                static_cast<unsigned long long>(series.late()));
    CHECK_MESSAGE(growth <= noise, series.name());
  }

  void check_answers() {
    std::uint64_t evicted = 0;
    std::uint64_t answers = 0;
    for (const auto* reports : {&m_passed, &m_stayed}) {
      for (const ClientReport& report : *reports) {
        CHECK(report.exit.success());
        CHECK(report["failures"] == 0);
        CHECK(report["SUCCESS"] == report["launches"]);
      }
      evicted += sum_of(*reports, "evicted_entries");
      answers += sum_of(*reports, "SUCCESS");
    }
    std::printf("%llu calls, %llu evictions, %zu compiles, %zu short programs\n",
                static_cast<unsigned long long>(answers), static_cast<unsigned long long>(evicted),
                m_compiler.compiles(), m_passed.size());
    CHECK(evicted > 100);
    CHECK(left_temporaries(m_folder).empty());
    CHECK(std::filesystem::is_empty(m_temporary.path()));
    check_no_lock(m_folder);
    check_entries(m_folder, stored_entries(m_folder).size());
  }

  ScratchFolder m_scratch;
  ScratchFolder m_temporary{"/tmp"};
  std::string m_folder = m_scratch / "cache";
  CannedCompiler m_compiler;
  Variables m_variables = client_variables(m_folder, m_compiler.worker());
  std::vector<Watched> m_programs;
  Series m_files{"files in the cache folder"};
  Series m_bytes{"KiB in the cache folder"};
  Series m_temporary_files{"files in TMPDIR"};
  std::vector<ClientReport> m_passed; // short programs
  std::vector<ClientReport> m_stayed;
};

} // namespace

TEST_SUITE_BEGIN("soak_cache");

TEST_CASE("soak: memory, descriptors and files stay as they were after warm-up, with eviction on") {
  Soak soak;
  soak.run();
  soak.check();
}

TEST_SUITE_END();
