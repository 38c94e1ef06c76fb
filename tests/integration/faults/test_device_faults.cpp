#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "known_problem.h"

TEST_SUITE_BEGIN("faults");

using hk::test::KnownProblem;

TEST_CASE("faults.device: a device or runtime that does not exist") {
  hk_context* context = nullptr;
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "sim:mi999";
  CHECK(hk_context_create(&options, &context) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(std::string(hk_last_error_message()).find("sim:mi355x") != std::string::npos);
  options.device = "hip:0";
  options.runtime_library = "/nonexistent/libamdhip64.so";
  CHECK(hk_context_create(&options, &context) == HK_STATUS_NO_RUNTIME);
  CHECK(std::string(hk_last_error_message()).find("/nonexistent/libamdhip64.so") != std::string::npos);
  CHECK(context == nullptr);
}

TEST_CASE("faults.device: a host pointer, and memory of another device") {
  KnownProblem problem("none");
  std::vector<std::uint16_t> host(64 * 64);
  void* const right = problem.args().k.data;
  problem.args().k.data = host.data();
  CHECK(problem.run() == HK_STATUS_INVALID_ARGUMENT);
  CHECK(std::string(hk_last_error_message()).find("k.data is not device memory") != std::string::npos);
  KnownProblem other("none", "sim:mi300x");
  problem.args().k.data = other.args().k.data;
  CHECK(problem.run() == HK_STATUS_INVALID_ARGUMENT);
  CHECK(std::string(hk_last_error_message()).find("k.data is memory of another device") != std::string::npos);
  problem.args().k.data = right;
  CHECK(problem.output_is_untouched());
  CHECK(problem.run() == HK_STATUS_SUCCESS);
  CHECK(problem.output_is_right());
}

TEST_SUITE_END();
