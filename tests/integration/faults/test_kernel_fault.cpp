// A program of its own: a faulted device stays faulted until its process ends, as on hardware.
#include <string>

#include <doctest/doctest.h>

#include "known_problem.h"

TEST_SUITE_BEGIN("faults");

TEST_CASE("faults.kernel: a read past an allocation names kernel, place and allocation; later calls fail cleanly") {
  hk::test::KnownProblem problem("none");
  problem.args().v.stride_row = 1 << 20; // the second row lies far past the end of V
  CHECK(problem.run() == HK_STATUS_LAUNCH_FAILED);
  const std::string detail = hk_last_error_detail();
  for (const char* word : {"attention_forward", "workgroup", "wave", "lane", "allocation"})
    CHECK_MESSAGE(detail.find(word) != std::string::npos, word, ": ", detail);
  CHECK(problem.run() != HK_STATUS_SUCCESS);
  CHECK(std::string(hk_last_error_message()).size() > 0);
}

TEST_SUITE_END();
