#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "null_context.h"

TEST_SUITE_BEGIN("api");

namespace {

// Runs body() -> exit code in a forked child.
template <typename Body>
int exit_code_of_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0)
    _exit(body());
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST_CASE("api.fork: in a forked child of a used context every call is FORKED, in the parent nothing changes") {
  const NullContext context;
  const int code = exit_code_of_child([&] {
    void* pointer = nullptr;
    hk_context* second = nullptr;
    hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
    options.device = "null";
    if (hk_memory_allocate(context.get(), 16, &pointer) != HK_STATUS_FORKED || pointer != nullptr)
      return 1;
    if (hk_stream_synchronize(context.get(), nullptr) != HK_STATUS_FORKED)
      return 2;
    if (hk_context_create(&options, &second) != HK_STATUS_FORKED || second != nullptr)
      return 3;
    if (hk_context_destroy(context.get()) != HK_STATUS_FORKED)
      return 4;
    if (*hk_last_error_message() == '\0')
      return 5;
    return 0;
  });
  CHECK(code == 0);
  CHECK(hk_stream_synchronize(context.get(), nullptr) == HK_STATUS_SUCCESS);
}

TEST_SUITE_END();
