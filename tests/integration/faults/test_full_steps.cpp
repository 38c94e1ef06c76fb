// Cache folders that run out of room at every step of a publish, file systems without writing or without programs. With
// mounts of its own; exit code 77 (skipped) with the reason where that is not allowed.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>

#include "folder_state.h"
#include "integration/canned_compiler/client_process.h"
#include "unit/base/mounted_memory.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr std::size_t k_keys = 3;

ClientReport ask(const Variables& variables) {
  return run_client(variables, {"keys=1000:" + std::to_string(k_keys)});
}

// Whatever had no room is not there, what is there is right, and no caller noticed. Returns how many were not stored.
std::uint64_t check_full(const std::string& options) {
  CAPTURE(options);
  const MountedMemory memory(options);
  const CannedCompiler compiler;
  const ClientReport report = ask(client_variables(memory.path(), compiler.worker()));
  CHECK(report.exit.success());
  CHECK(report["SUCCESS"] == k_keys);
  CHECK(report["compiles"] == k_keys);
  check_entries(memory.path(), k_keys - report["not_stored"]);
  CHECK(left_temporaries(memory.path()).empty());
  check_no_lock(memory.path());
  return report["not_stored"];
}

// From no room at all to room for everything; both ends have to be met.
void check_steps(const std::string& option, int first, int step, const std::string& unit) {
  CHECK(check_full(option + "=" + std::to_string(first) + unit) == k_keys);
  for (int limit = first + step; check_full(option + "=" + std::to_string(limit) + unit) != 0; limit += step)
    REQUIRE(limit < first + 64 * step);
}

} // namespace

TEST_SUITE_BEGIN("full_steps");

TEST_CASE("full steps: a disk that is full at any write costs stored entries and nothing else") {
  check_steps("size", 4, 4, "k"); // tmpfs counts pages
}

TEST_CASE("full steps: inodes that run out at any new file or folder cost stored entries and nothing else") {
  check_steps("nr_inodes", 2, 1, "");
}

TEST_CASE("full steps: when there is room again, the next program stores") {
  MountedMemory memory("size=8k");
  const CannedCompiler compiler;
  const Variables variables = client_variables(memory.path(), compiler.worker());
  CHECK(ask(variables)["not_stored"] == k_keys);
  memory.change("size=1m");
  CHECK(ask(variables)["not_stored"] == 0);
  CHECK(ask(variables)["disk_hits"] == k_keys);
  check_entries(memory.path(), k_keys);
}

TEST_CASE(
    "full steps: from a read-only file system entries are served, others compiled, and locks waited for by nobody") {
  MountedMemory memory("size=1m");
  const CannedCompiler compiler;
  const Variables variables = client_variables(memory.path(), compiler.worker());
  REQUIRE(ask(variables)["compiles"] == k_keys);
  memory.change("", MS_RDONLY);
  REQUIRE(::open((memory.path() + "/plain").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600) == -1);
  const ClientReport report = run_client(variables, {"keys=1000:" + std::to_string(k_keys + 2), "threads=2"});
  CHECK(report["SUCCESS"] == 2 * (k_keys + 2));
  CHECK(report["disk_hits"] == k_keys);
  CHECK(report["compiles"] == 2);
  CHECK(report["not_stored"] == 2);
  CHECK(report["wait_ms"] == 0);
}

TEST_CASE("full steps: a read-only file system without an entry or a lock file is as good as none") {
  MountedMemory memory("size=1m");
  memory.change("", MS_RDONLY);
  const CannedCompiler compiler;
  const Variables variables = client_variables(memory.path(), compiler.worker());
  const ClientReport report = ask(variables);
  CHECK(report["SUCCESS"] == k_keys);
  CHECK(report["not_stored"] == k_keys);
  CHECK(report["wait_ms"] == 0);
}

TEST_CASE("full steps: TMPDIR on a file system that runs no programs") {
  const MountedMemory memory("size=1m", MS_NOEXEC | MS_NOSUID | MS_NODEV);
  const ScratchFolder scratch;
  const CannedCompiler compiler;
  Variables variables = client_variables(scratch / "cache", compiler.worker());
  variables["TMPDIR"] = memory.path();
  CHECK(ask(variables)["SUCCESS"] == k_keys);
  CHECK(std::filesystem::is_empty(memory.path()));
}

TEST_CASE("full steps: a TMPDIR without an inode is a failure of the programs that use it, of no others") {
  const MountedMemory memory("nr_inodes=1");
  const ScratchFolder scratch;
  const CannedCompiler compiler;
  Variables variables = client_variables(scratch / "cache", compiler.worker());
  variables["TMPDIR"] = memory.path();
  const ClientReport report = ask(variables);
  CHECK(report.exit.success());
  CHECK(report["COMPILE_FAILED"] == k_keys);
  variables["TMPDIR"] = scratch.path();
  CHECK(ask(variables)["SUCCESS"] == k_keys); // the failures were not kept
}

TEST_SUITE_END();

int main(int count, char** arguments) {
  if (!enter_own_mount_namespace()) {
    std::printf("skipped: this program may not mount a tmpfs (%s)\n", std::strerror(errno));
    return 77;
  }
  return doctest::Context(count, arguments).run();
}
