// Workers that die, hang, use up their memory or answer nonsense while they compile: the call has the status that says
// so, and the next program has the kernel.

#include <string>

#include "folder_state.h"
#include "integration/canned_compiler/client_process.h"

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("unruly_workers");

TEST_CASE("unruly workers: each way to fail has its status, leaves no entry and no lock, and hinders nobody after it") {
  for (const auto& [order, status] : {std::pair{"crash first=1", "COMPILER_CRASHED"},
                                      {"kill first=1", "COMPILER_CRASHED"},
                                      {"memory first=1", "COMPILER_CRASHED"},
                                      {"garbage first=1", "COMPILER_CRASHED"},
                                      {"hang first=1", "COMPILE_TIMEOUT"}}) {
    CAPTURE(std::string(order));
    const ScratchFolder scratch;
    const std::string folder = scratch / "cache";
    const std::string temporary = scratch / "temporary";
    REQUIRE(std::filesystem::create_directory(temporary));
    const CannedCompiler compiler;
    compiler.order(order);
    Variables variables = client_variables(folder, compiler.worker());
    variables["HK_COMPILE_TIMEOUT_MS"] = "1000";
    variables["TMPDIR"] = temporary;
    const ClientReport first = run_client(variables, {"keys=1000:1", "threads=2"});
    CHECK(first[status] >= 1);
    CHECK(first[status] + first["SUCCESS"] == 2); // the second thread joined the first, or came after it
    check_no_lock(folder);
    const ClientReport next = run_client(variables, {"keys=1000:1", "threads=2"});
    CHECK(next["SUCCESS"] == 2);
    check_entries(folder, 1);
    CHECK(left_temporaries(folder).empty());
    CHECK(std::filesystem::is_empty(temporary));
  }
}

TEST_SUITE_END();
