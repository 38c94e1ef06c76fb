// A process that has loaded the library and forks before it uses it. Alone in its executable: other tests use it first.

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hk/hk.h"

TEST_SUITE_BEGIN("c_api");

namespace {

constexpr std::int64_t k_rows = 3;
constexpr std::int64_t k_columns = 64;
constexpr std::uint16_t k_one = 0x3f80; // bfloat16

// Attention over values of 1 on the simulated device gives 1. 0, or the number of what went wrong.
int run_attention() {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = "sim:mi355x";
  options.cache_directory = "none";
  hk_context* context = nullptr;
  if (hk_context_create(&options, &context) != HK_STATUS_SUCCESS)
    return 1;
  std::vector<std::uint16_t> elements(k_rows * k_columns, k_one);
  const std::size_t bytes = elements.size() * sizeof(elements[0]);
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  args.batch = args.heads_q = args.heads_kv = 1;
  args.seq_q = args.seq_k = k_rows;
  args.head_dim = k_columns;
  for (hk_tensor* tensor : {&args.q, &args.k, &args.v, &args.o}) {
    void* data = nullptr;
    if (hk_memory_allocate(context, bytes, &data) != HK_STATUS_SUCCESS)
      return 2;
    *tensor = {data, HK_DTYPE_BFLOAT16, 0, k_rows * k_columns, k_rows * k_columns, k_columns};
    if (tensor != &args.o && hk_memory_copy(context, data, elements.data(), bytes, nullptr) != HK_STATUS_SUCCESS)
      return 3;
  }
  if (hk_attention(context, &args, nullptr, 0, nullptr) != HK_STATUS_SUCCESS)
    return 4;
  elements.assign(elements.size(), 0);
  if (hk_memory_copy(context, elements.data(), args.o.data, bytes, nullptr) != HK_STATUS_SUCCESS)
    return 5;
  if (elements != std::vector<std::uint16_t>(elements.size(), k_one))
    return 6;
  return hk_context_destroy(context) == HK_STATUS_SUCCESS ? 0 : 7;
}

std::string mapped_files() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("K14e: loading touches no GPU runtime, and a child that was forked after it computes") {
  CHECK(hk_version() > 0);
  REQUIRE(mapped_files().find("libhk") != std::string::npos);
  for (const char* library : {"libhksim", "libamdhip64", "libhiprtc", "libamd_comgr"}) {
    CAPTURE(library);
    CHECK(mapped_files().find(library) == std::string::npos);
  }
  const pid_t child = fork();
  if (child == 0)
    _exit(run_attention());
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(run_attention() == 0); // the parent too, for the first time
  CHECK(mapped_files().find("libhksim") != std::string::npos);
}

TEST_SUITE_END();
