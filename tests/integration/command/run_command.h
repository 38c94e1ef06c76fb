#pragma once
// Runs `hk` as a user would and gathers what came out of it.

#include <string>
#include <vector>

namespace hk::test {

struct CommandResult {
  int exit_code = -1; // -1: it did not end by itself, or ended by a signal
  std::string output; // stdout
  std::string errors; // stderr

  // The last line of stdout, without its end.
  [[nodiscard]] std::string last_line() const;
};

// environment: beside PATH, HOME and the cache folder. cache: HK_CACHE_DIR.
CommandResult run_hk(const std::vector<std::string>& arguments, const std::string& cache,
                     const std::vector<std::string>& environment = {});

} // namespace hk::test
