#include <chrono>
#include <string>

#include <doctest/doctest.h>

#include "known_problem.h"

TEST_SUITE_BEGIN("faults");

using hk::test::FaultFolder;
using hk::test::KnownProblem;
using hk::test::Variables;

namespace {

// The call fails with this status within the time, says what and where, and leaves the output alone.
void check_refusal(hk_status expected, const std::string& words) {
  KnownProblem problem("none");
  const auto start = std::chrono::steady_clock::now();
  const hk_status status = problem.run();
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
  CHECK_MESSAGE(status == expected, hk_status_name(status), ": ", hk_last_error_message());
  CHECK_MESSAGE(std::string(hk_last_error_message()).find(words) != std::string::npos, hk_last_error_message());
  CHECK(problem.output_is_untouched());
}

} // namespace

TEST_CASE("faults.compiler: no worker, no compiler library") {
  {
    const Variables variables({{"HK_COMPILE_WORKER", "/nonexistent/hk-compile-worker"}});
    check_refusal(HK_STATUS_NO_COMPILER, "/nonexistent/hk-compile-worker");
  }
  const Variables variables({{"HK_HIPRTC_LIBRARY", "/nonexistent/libhiprtc.so"}});
  check_refusal(HK_STATUS_NO_COMPILER, "/nonexistent/libhiprtc.so");
}

TEST_CASE("faults.compiler: a program that is no worker, and one that says nothing until the limit") {
  {
    const Variables variables({{"HK_COMPILE_WORKER", "/bin/true"}});
    KnownProblem problem("none");
    const hk_status status = problem.run();
    CHECK((status == HK_STATUS_NO_COMPILER || status == HK_STATUS_COMPILER_CRASHED));
    CHECK(std::string(hk_last_error_message()).find("/bin/true") != std::string::npos);
    CHECK(problem.output_is_untouched());
  }
  const Variables variables({{"HK_COMPILE_WORKER", "/usr/bin/yes"}, {"HK_COMPILE_TIMEOUT_MS", "1000"}});
  KnownProblem problem("none");
  const auto start = std::chrono::steady_clock::now();
  CHECK(problem.run() != HK_STATUS_SUCCESS);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  CHECK(std::string(hk_last_error_message()).find("/usr/bin/yes") != std::string::npos);
  CHECK(problem.output_is_untouched());
}

TEST_CASE("faults.compiler: a compile that takes longer than its limit") {
  const Variables variables({{"HK_COMPILE_TIMEOUT_MS", "1"}});
  check_refusal(HK_STATUS_COMPILE_TIMEOUT, "HK_COMPILE_TIMEOUT_MS");
}

TEST_CASE("faults.compiler: a temporary folder that takes no file") {
  const Variables variables({{"TMPDIR", "/proc"}});
  KnownProblem problem("none");
  const hk_status status = problem.run();
  CHECK((status == HK_STATUS_COMPILE_FAILED || status == HK_STATUS_COMPILER_CRASHED));
  CHECK_MESSAGE(std::string(hk_last_error_message()).find("/proc") != std::string::npos, hk_last_error_message());
  CHECK(problem.output_is_untouched());
}

TEST_SUITE_END();
