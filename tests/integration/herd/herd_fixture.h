#pragma once
// A cache folder, a TMPDIR and a canned compiler for a herd, and what a herd must leave behind.

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "integration/canned_compiler/client_process.h"
#include "integration/faults/folder_state.h"

namespace hk::test {

// A test that waits for this long waits for ever.
constexpr std::chrono::seconds k_herd_patience{60};

struct HerdFixture {
  ScratchFolder scratch;
  std::string folder = scratch / "cache";
  std::string temporary = scratch / "temporary";
  CannedCompiler compiler;
  Variables variables = client_variables(folder, compiler.worker());

  HerdFixture() {
    REQUIRE(std::filesystem::create_directory(temporary));
    variables["TMPDIR"] = temporary;
  }

  // Until the workers have been asked so often.
  void wait_for_compiles(std::size_t count) const {
    const auto deadline = std::chrono::steady_clock::now() + k_herd_patience;
    while (compiler.compiles() < count) {
      REQUIRE(std::chrono::steady_clock::now() < deadline);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void check_nothing_left(std::size_t entries) const {
    check_entries(folder, entries);
    CHECK(left_temporaries(folder).empty());
    CHECK(std::filesystem::is_empty(temporary));
    check_no_lock(folder);
  }
};

inline std::chrono::milliseconds since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
}

} // namespace hk::test
