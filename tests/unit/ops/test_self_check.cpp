// The self-check callback: what it lets pass, what it refuses, and when it does not even begin.
#include <doctest/doctest.h>

#include "computing_device.h"
#include "ops/attention/self_check.h"
#include "ops/attention/spec.h"
#include "ops/attention/trial_problem.h"
#include "sample_problem.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;
using hk::service::SelfCheckOutcome;
using hk::test::ComputingDevice;
using hk::test::sample_args;
using hk::test::SampleSizes;
using Mode = hk::base::SelfCheck;

namespace {

AttentionProblem problem_of(const SampleSizes& sizes) {
  return *make_attention_problem(sample_args(sizes), AttentionUse::launch);
}

hk::Result<SelfCheckOutcome> check_on(hk::device::NullDriver& device, const AttentionProblem& problem,
                                      Mode mode = Mode::automatic) {
  hk::service::ServedKernel kernel;
  kernel.symbol = symbol_of(exact_attention_spec(problem));
  const std::byte code{};
  kernel.module = *device.load({&code, 1}, kernel.symbol);
  return attention_self_check(device, problem, default_attention_configuration(problem), mode)(kernel);
}

} // namespace

TEST_CASE("ops.attention.self_check: a right kernel passes with batch 1 and one head group") {
  ComputingDevice device;
  std::int64_t batch = 0;
  std::int64_t heads_q = 0;
  device.spoil = [&](const std::string&, const AttentionProblem& set) {
    batch = set.batch;
    heads_q = set.heads_q;
  };
  const auto outcome = check_on(device, problem_of({.batch = 3, .heads_q = 8, .heads_kv = 2}));
  REQUIRE(outcome);
  CHECK(*outcome == SelfCheckOutcome::passed);
  CHECK(batch == 1);
  CHECK(heads_q == 4);
}

TEST_CASE("ops.attention.self_check: a wrong kernel is refused with what it wrote") {
  ComputingDevice device;
  device.spoil = [](const std::string&, const AttentionProblem& set) {
    static_cast<std::uint16_t*>(set.o.data)[5] = float_to_bfloat16(2.0F);
  };
  const auto outcome = check_on(device, problem_of({}));
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().message.find("o of batch 0, head 0, row 0, column 5 is 2 instead of") == 0);
}

TEST_CASE("ops.attention.self_check: skipped where nothing computes, where it takes too long, where memory is short") {
  hk::device::NullDriver null("null", "gfx950");
  CHECK(*check_on(null, problem_of({}), Mode::always) == SelfCheckOutcome::skipped);

  ComputingDevice device;
  CHECK(*check_on(device, problem_of({.seq_q = 40000, .seq_k = 40000})) == SelfCheckOutcome::skipped);
  CHECK(device.launched().empty());
  device.mutable_info().memory = 1 << 20; // always may take a quarter of it
  CHECK(*check_on(device, problem_of({.seq_q = 4000}), Mode::always) == SelfCheckOutcome::skipped);
  CHECK(device.launched().empty());
  device.refuse_launch = [](const std::string&) { return hk::Status(hk::StatusCode::launch_failed, "lost"); };
  CHECK(*check_on(device, problem_of({})) == SelfCheckOutcome::skipped);
}

TEST_CASE("ops.attention.self_check: off is no callback at all; always ignores the estimate") {
  ComputingDevice device;
  const AttentionProblem problem = problem_of({.seq_q = 200, .seq_k = 300});
  CHECK_FALSE(attention_self_check(device, problem, default_attention_configuration(problem), Mode::off));
  device.mutable_info().simulated = true;
  CHECK(*check_on(device, problem) == SelfCheckOutcome::skipped);
  CHECK(*check_on(device, problem, Mode::always) == SelfCheckOutcome::passed);
}

TEST_CASE("ops.attention.self_check: the estimate follows the work and the kind of device") {
  const auto estimate = [](const hk::device::DeviceInfo& device, const SampleSizes& sizes) {
    return self_check_milliseconds(device, *trial_problem(problem_of(sizes), {true, std::uint64_t{1} << 40}));
  };
  hk::device::DeviceInfo gpu;
  gpu.compute_units = 304;
  // Usual problems are checked on a GPU, one of 16384 x 16384 is not.
  CHECK(estimate(gpu, {.seq_q = 512, .seq_k = 512}) < 12);
  CHECK(estimate(gpu, {.seq_q = 1, .seq_k = 2048}) < 20);
  CHECK(estimate(gpu, {.seq_q = 16384, .seq_k = 16384}) > 100);
  hk::device::DeviceInfo simulated = gpu;
  simulated.simulated = true;
  // 4 heads * 512 * 512 * 128 * 4 operations at 2e9 a second.
  CHECK(estimate(simulated, {.seq_q = 512, .seq_k = 512}) > 268);
  CHECK(estimate(simulated, {.seq_q = 1, .seq_k = 64}) < 20);
}

TEST_SUITE_END();
