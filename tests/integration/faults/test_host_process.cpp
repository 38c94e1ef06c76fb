// Host programs with unusual limits, masks, signal handlers, locales and forks.

#include <sys/stat.h>

#include <string>

#include "folder_state.h"
#include "integration/canned_compiler/client_process.h"

using namespace hk;
using namespace hk::test;

namespace {

struct Fixture {
  ScratchFolder scratch;
  std::string folder = scratch / "cache";
  CannedCompiler compiler;
  Variables variables = client_variables(folder, compiler.worker());
};

} // namespace

TEST_SUITE_BEGIN("host_process");

TEST_CASE("host process: under any umask folders are 0700 and files 0600, and a program with another umask finds all") {
  for (const char* mask : {"000", "077", "777"}) {
    CAPTURE(std::string(mask));
    Fixture fixture;
    const ClientReport report = run_client(fixture.variables, {"keys=1000:4", std::string("umask=") + mask});
    CHECK(report["SUCCESS"] == 4);
    CHECK(report["not_stored"] == 0);
    CHECK(mode_of(fixture.folder) == 0700);
    for (const auto& item : std::filesystem::recursive_directory_iterator(fixture.folder))
      CHECK_MESSAGE(mode_of(item.path()) == (item.is_directory() ? 0700U : 0600U), item.path().string());
    CHECK(run_client(fixture.variables, {"keys=1000:4"})["disk_hits"] == 4);
  }
}

TEST_CASE("host process: 64 descriptors are enough for 8 threads that compile 40 kernels") {
  Fixture fixture;
  fixture.variables["HK_JIT_WORKERS"] = "4";
  const ClientReport report = run_client(fixture.variables, {"keys=1000:40", "threads=8", "seed=1", "files=64"});
  CHECK(report.exit.success());
  CHECK(report["SUCCESS"] == 320);
  CHECK(report["compiles"] == 40);
  CHECK(report["not_stored"] == 0);
  check_entries(fixture.folder, 40);
}

TEST_CASE("host process: without descriptors left every call has a status, and nothing broken is stored") {
  for (const char* files : {"5", "8", "10", "12", "16"}) {
    CAPTURE(std::string(files));
    Fixture fixture;
    const ClientReport report =
        run_client(fixture.variables, {"keys=1000:4", "threads=2", std::string("files=") + files, "contexts=2"});
    CHECK(report.exit.kind == base::ExitStatus::Kind::exited); // 1 if not even a context could be had
    for (const std::string& path : stored_entries(fixture.folder)) {
      const std::string fault = entry_fault(path);
      CHECK_MESSAGE(fault.empty(), fault);
    }
    CHECK(run_client(fixture.variables, {"keys=1000:4"})["SUCCESS"] == 4);
  }
}

TEST_CASE("host process: what a host without standard streams prints reaches no file of the cache") {
  Fixture fixture;
  const ClientReport report = run_client(fixture.variables, {"streams=closed", "keys=1000:30", "threads=6", "seed=1"});
  CHECK(report["SUCCESS"] == 180);
  CHECK(report["compiles"] == 30);
  check_entries(fixture.folder, 30);
  CHECK(std::filesystem::file_size(fixture.folder + "/v1/locks") == 0);
}

TEST_CASE("host process: a limit on the size of files leaves kernels unstored and the host alive") {
  Fixture fixture;
  fixture.variables["HK_LOG_FILE"] = fixture.scratch / "log";
  fixture.variables["HK_TRACE"] = fixture.scratch / "trace";
  // More than the canned worker's own records, less than an entry.
  const ClientReport report = run_client(fixture.variables, {"keys=1000:8", "threads=2", "bytes=4096"});
  CHECK(report.exit.success());
  CHECK(report["SUCCESS"] == 16);
  CHECK(report["not_stored"] == 8);
  CHECK(stored_entries(fixture.folder).empty());
  CHECK(run_client(fixture.variables, {"keys=1000:8"})["not_stored"] == 0);
  check_entries(fixture.folder, 8);
}

TEST_CASE("host process: a host that ignores SIGCHLD, or reaps every child itself") {
  for (const char* children : {"children=ignored", "children=reaped"}) {
    CAPTURE(std::string(children));
    Fixture fixture;
    const ClientReport report = run_client(fixture.variables, {"keys=1000:4", "contexts=3", "threads=2", children});
    CHECK(report["SUCCESS"] == 24);
    CHECK(report["compiles"] == 4);
    // A worker that dies is noticed all the same, and the next call has another one.
    fixture.compiler.order("kill first=5");
    const ClientReport killed = run_client(fixture.variables, {"keys=2000:2", children});
    CHECK(killed["COMPILER_CRASHED"] == 1);
    CHECK(killed["SUCCESS"] == 1);
  }
}

TEST_CASE("host process: a context made in a child that was forked before the first use") {
  Fixture fixture;
  CHECK(run_client(fixture.variables, {"keys=1000:4", "fork=before"})["SUCCESS"] == 4);
}

TEST_CASE(
    "host process: in the child of a process that has compiled a new context is FORKED; folder and locks are free") {
  Fixture fixture;
  const ClientReport report = run_client(fixture.variables, {"keys=1000:1", "fork=after"});
  CHECK(report.exit.success());
  CHECK(report["FORKED"] == 1);
  check_no_lock(fixture.folder);
  CHECK(run_client(fixture.variables, {"keys=1000:1"})["disk_hits"] == 1);
}

TEST_CASE("host process: a child that was forked during a compile keeps no lock when the parent is done") {
  Fixture fixture;
  fixture.compiler.order("delay 300");
  // The parent forks in the middle of its compile; the child stays for 3 s.
  const ClientReport parent = run_client(fixture.variables, {"keys=1000:1", "fork=during"});
  CHECK(parent["SUCCESS"] == 1);
  check_no_lock(fixture.folder);
  fixture.compiler.order("");
  for (const std::string& path : stored_entries(fixture.folder))
    REQUIRE(std::filesystem::remove(path));
  const ClientReport next = run_client(fixture.variables, {"keys=1000:1"});
  CHECK(next["compiles"] == 1);
  CHECK(next["waited"] == 0);
  CHECK(next["wait_ms"] < 100);
}

TEST_CASE("host process: a locale that groups digits changes no key") {
  Fixture fixture;
  REQUIRE(run_client(fixture.variables, {"keys=12345:3"})["compiles"] == 3);
  const ClientReport report = run_client(fixture.variables, {"keys=12345:4", "locale=grouping"});
  CHECK(report["SUCCESS"] == 4);
  CHECK(report["disk_hits"] == 3);
  CHECK(run_client(fixture.variables, {"keys=12345:4"})["disk_hits"] == 4);
}

TEST_SUITE_END();
