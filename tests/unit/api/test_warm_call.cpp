// What a warm call costs: no allocation, no lock, a trace event only on request. (Its time: hk-bench calls.)
#include <doctest/doctest.h>

#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "assembled_context.h"
#include "base/scratch_folder.h"
#include "null_context.h"
#include "service/counted_allocations.h"
#include "service/counted_locks.h"

TEST_SUITE_BEGIN("api");

using hk::test::AssembledContext;
using hk::test::sample_args;

namespace {

struct Cost {
  std::uint64_t allocations = 0;
  std::uint64_t locks = 0;
  hk_status status = HK_STATUS_SUCCESS;
};

std::uint64_t locks_taken() {
#if HK_TEST_COUNTS_LOCKS
  return hk::test::locks_of_this_thread();
#else
  return 0;
#endif
}

Cost cost_of_calls(hk_context* context, const hk_attention_args& args, int calls) {
  Cost cost;
  const std::uint64_t allocations = hk::test::allocations_of_this_thread();
  const std::uint64_t locks = locks_taken();
  for (int i = 0; i < calls && cost.status == HK_STATUS_SUCCESS; ++i)
    cost.status = hk_attention(context, &args, nullptr, 0, nullptr);
  cost.locks = locks_taken() - locks;
  cost.allocations = hk::test::allocations_of_this_thread() - allocations;
  return cost;
}

} // namespace

#if HK_TEST_COUNTS_LOCKS
TEST_CASE("api.warm_call: the counter of locks counts") {
  std::mutex mutex;
  std::shared_mutex shared_mutex;
  const std::uint64_t before = hk::test::locks_of_this_thread();
  {
    const std::lock_guard lock(mutex);
  }
  {
    const std::shared_lock lock(shared_mutex);
  }
  CHECK(hk::test::locks_of_this_thread() == before + 2);
}
#endif

TEST_CASE("api.warm_call: exact and family kernels are launched without an allocation or a lock") {
  const AssembledContext context;
  hk_attention_args decode = sample_args();
  decode.seq_q = 1;
  for (const hk_attention_args& args : std::vector<hk_attention_args>{sample_args(), decode}) {
    REQUIRE(hk_attention_prepare(context.get(), &args) == HK_STATUS_SUCCESS);
    const Cost cost = cost_of_calls(context.get(), args, 100);
    CHECK(cost.status == HK_STATUS_SUCCESS);
    CHECK(cost.allocations == 0);
    CHECK(cost.locks == 0);
  }
  CHECK(context.driver->launches() == 200);
}

TEST_CASE("api.warm_call: a thread's first warm call costs it no lock either, and no call of any thread is lost") {
  constexpr int k_threads = 4;
  constexpr int k_calls = 500;
  const AssembledContext context;
  const hk_attention_args args = sample_args();
  REQUIRE(hk_attention_prepare(context.get(), &args) == HK_STATUS_SUCCESS);
  std::vector<Cost> costs(k_threads);
  std::vector<std::thread> threads;
  for (Cost& cost : costs)
    threads.emplace_back([&] { cost = cost_of_calls(context.get(), args, k_calls); });
  for (std::thread& thread : threads)
    thread.join();
  for (const Cost& cost : costs) {
    CHECK(cost.status == HK_STATUS_SUCCESS);
    CHECK(cost.allocations == 0);
    CHECK(cost.locks == 0);
  }
  CHECK(context.driver->launches() == k_threads * k_calls);
  hk_statistics statistics = HK_STATISTICS_INIT;
  REQUIRE(hk_context_statistics(context.get(), &statistics) == HK_STATUS_SUCCESS);
  CHECK(statistics.launches == k_threads * k_calls);
  CHECK(statistics.memory_hits == k_threads * k_calls);
}

TEST_CASE("api.trace: HK_TRACE is read by each context, and a warm call is a span only then") {
  const hk::test::ScratchFolder folder;
  const std::string file = folder / "trace.json";
  const AssembledContext context;
  const hk_attention_args args = sample_args();
  REQUIRE(hk_attention_prepare(context.get(), &args) == HK_STATUS_SUCCESS);
  const auto spans = [&file] {
    const std::string text = hk::test::read_text(file);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(R"("name":"launch")", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  ::setenv("HK_TRACE", file.c_str(), 1);
  {
    const NullContext traced;
  }
  CHECK(cost_of_calls(context.get(), args, 3).status == HK_STATUS_SUCCESS);
  CHECK(spans() == 3);
  ::unsetenv("HK_TRACE");
  {
    const NullContext untraced;
  }
  CHECK(cost_of_calls(context.get(), args, 3).allocations == 0);
  CHECK(spans() == 3);
}

TEST_SUITE_END();
