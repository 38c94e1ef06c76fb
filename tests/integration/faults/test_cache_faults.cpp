#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/stat.h>

#include <doctest/doctest.h>

#include "base/file_privileges.h"
#include "known_problem.h"

TEST_SUITE_BEGIN("faults");

using hk::test::FaultFolder;
using hk::test::KnownProblem;

namespace {

std::vector<std::filesystem::path> entries(const std::string& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder)) {
    if (item.path().extension() == ".hk")
      found.push_back(item.path());
  }
  return found;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Runs the problem in a context of its own; returns how many kernels it compiled.
std::uint64_t compiles_of_a_right_run(const std::string& folder) {
  KnownProblem problem(folder);
  REQUIRE_MESSAGE(problem.run() == HK_STATUS_SUCCESS, hk_last_error_message());
  CHECK(problem.output_is_right());
  return problem.context().statistics().compiles;
}

} // namespace

TEST_CASE("faults.cache: a damaged entry is a miss; it is compiled again and replaced by a sound one") {
  const FaultFolder folder;
  REQUIRE(compiles_of_a_right_run(folder.path()) == 1);
  REQUIRE(entries(folder.path()).size() == 1);
  const std::filesystem::path entry = entries(folder.path())[0];
  const std::string sound = content(entry);
  const std::size_t middle = sound.size() / 2;
  for (const char* damage : {"bit flip", "truncated", "empty"}) {
    CAPTURE(damage);
    std::string damaged = sound;
    if (std::string(damage) == "bit flip")
      damaged[middle] = static_cast<char>(damaged[middle] ^ 4);
    else
      damaged.resize(std::string(damage) == "empty" ? 0 : middle);
    std::ofstream(entry, std::ios::binary | std::ios::trunc).write(damaged.data(), std::streamsize(damaged.size()));
    CHECK(compiles_of_a_right_run(folder.path()) == 1);
    REQUIRE(entries(folder.path()).size() == 1);
    CHECK(content(entries(folder.path())[0]).size() == sound.size());
    CHECK(compiles_of_a_right_run(folder.path()) == 0);
  }
}

TEST_CASE("faults.cache: a folder that cannot be written costs compiles, not results") {
  const FaultFolder folder;
  REQUIRE(compiles_of_a_right_run(folder.path()) == 1);
  std::filesystem::remove(entries(folder.path())[0]);
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (item.is_directory())
      REQUIRE(chmod(item.path().c_str(), 0500) == 0);
  }
  REQUIRE(chmod(folder.path().c_str(), 0500) == 0);
  {
    const hk::test::WithoutFilePrivileges ordinary;
    REQUIRE_FALSE(std::ofstream(folder.path() + "/probe").good());
    CHECK(compiles_of_a_right_run(folder.path()) == 1);
  }
  chmod(folder.path().c_str(), 0700);
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (item.is_directory())
      chmod(item.path().c_str(), 0700);
  }
  CHECK(entries(folder.path()).empty());
}

TEST_SUITE_END();
