// Trials on a device that computes with the host reference: what they are made of, and every kind of wrong kernel.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "computing_device.h"
#include "ops/attention/spec.h"
#include "ops/attention/trial.h"
#include "ops/random_elements.h"
#include "sample_problem.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;
using hk::test::ComputingDevice;
using hk::test::sample_args;
using hk::test::SampleSizes;

namespace {

AttentionProblem problem_of(const SampleSizes& sizes, bool aligned = true) {
  hk_attention_args args = sample_args(sizes);
  if (!aligned)
    args.q.stride_head += 1;
  auto problem = make_attention_problem(args, AttentionUse::launch);
  REQUIRE_MESSAGE(problem, problem.error().message);
  REQUIRE(is_aligned(*problem) == aligned);
  return *problem;
}

hk::service::ServedKernel kernel_for(ComputingDevice& device, const AttentionProblem& problem) {
  hk::service::ServedKernel kernel;
  kernel.symbol = symbol_of(exact_attention_spec(problem));
  kernel.module = *device.load({}, kernel.symbol);
  return kernel;
}

// Verifies one kernel for a problem on a device that may spoil its output.
hk::Status verified(ComputingDevice& device, const AttentionProblem& problem) {
  auto trial = AttentionTrial::create(device, problem, {{false, std::uint64_t{1} << 28}, 0, 3});
  REQUIRE_MESSAGE(trial, trial.error().message);
  return (*trial)->verify(kernel_for(device, problem), default_attention_configuration(problem));
}

} // namespace

TEST_CASE("ops.attention.trial: the problem keeps its class; batch, then heads shrink until it fits") {
  const SampleSizes sizes = {.batch = 8, .heads_q = 16, .heads_kv = 4, .seq_q = 128, .seq_k = 256};
  const AttentionProblem whole = problem_of(sizes);
  const auto all = trial_problem(whole, {false, std::uint64_t{1} << 40});
  REQUIRE(all);
  CHECK(all->batch == 8);
  CHECK(all->heads_q == 16);
  // q and o: 8 * 16 * 128 rows of 128, k and v: 8 * 4 * 256 rows, 2 bytes each; lse 8 * 16 * 128 floats.
  CHECK(tensor_bytes(*all) == 2 * 2 * (8 * 16 * 128 + 8 * 4 * 256) * 128 + 8 * 16 * 128 * 4);
  CHECK(exact_attention_spec(*all) == exact_attention_spec(whole));
  // A quarter of one batch: one key/value head with its four query heads.
  const auto small = trial_problem(whole, {false, 2 * 2 * (4 * 128 + 256) * 128});
  REQUIRE(small);
  CHECK(small->batch == 1);
  CHECK(small->heads_kv == 1);
  CHECK(small->heads_q == 4);
  CHECK(exact_attention_spec(*small) == exact_attention_spec(whole));
  const auto none = trial_problem(whole, {false, 1000});
  REQUIRE_FALSE(none);
  CHECK(none.error().code == hk::StatusCode::out_of_memory);
  const auto group = trial_problem(whole, {true, std::uint64_t{1} << 40});
  REQUIRE(group);
  CHECK(group->batch == 1);
  CHECK(group->heads_q == 4);

  const auto unaligned = trial_problem(problem_of(sizes, false), {false, std::uint64_t{1} << 40});
  REQUIRE(unaligned);
  CHECK_FALSE(is_aligned(*unaligned));
  CHECK(unaligned->q.stride_row == 129);
  // The largest sizes that the checks let pass, with strides of 0, must not overflow.
  AttentionProblem huge = whole;
  huge.batch = huge.heads_q = huge.heads_kv = huge.seq_q = huge.seq_k = std::int64_t{1} << 30;
  CHECK_FALSE(trial_problem(huge, {false, std::uint64_t{1} << 30}));
}

TEST_CASE("ops.attention.trial: rows to look at") {
  AttentionProblem problem = problem_of({.batch = 2, .heads_q = 8, .heads_kv = 2, .seq_q = 700, .seq_k = 300});
  problem.mask = AttentionMask::causal_bottom_right;
  const auto rows = rows_to_look_at(problem, 5);
  CHECK(rows.size() == 64);
  const auto looks_at = [&](std::int64_t row) {
    return std::any_of(rows.begin(), rows.end(), [&](const SampledRow& sampled) { return sampled.row == row; });
  };
  // Ends, edges of tiles of 32 to 256 rows at both ends, the mask's edge.
  for (const std::int64_t row : {0, 699, 31, 32, 127, 128, 255, 256, 511, 512, 639, 640, 671, 672, 399, 400})
    CHECK_MESSAGE(looks_at(row), row);
  const auto before = [](const SampledRow& a, const SampledRow& b) {
    return std::pair(a.batch, a.head) < std::pair(b.batch, b.head);
  };
  CHECK(std::is_sorted(rows.begin(), rows.end(), before));
  CHECK(rows.back().head == 7);
  for (const SampledRow& row : rows)
    CHECK((row.batch >= 0 && row.batch < 2 && row.head >= 0 && row.head < 8 && row.row >= 0 && row.row < 700));
  // Fewer than 64 there: all of them.
  CHECK(rows_to_look_at(problem_of({.batch = 1, .heads_q = 2, .heads_kv = 1, .seq_q = 5}), 1).size() == 10);
  CHECK(rows_to_look_at(problem_of({.batch = 1, .heads_q = 1, .heads_kv = 1, .seq_q = 1}), 1).size() == 1);
}

TEST_CASE("ops.attention.trial: random elements have mean 0 and deviation 1 and follow the seed") {
  std::vector<std::uint16_t> elements(40000);
  fill_random(ElementType::float16, 7, elements);
  double sum = 0;
  double squares = 0;
  for (const std::uint16_t bits : elements) {
    const auto value = static_cast<double>(float16_to_float(bits));
    sum += value;
    squares += value * value;
  }
  CHECK(std::abs(sum / 40000) < 0.02); // 4 standard errors
  CHECK(std::abs(squares / 40000 - 1) < 0.03);
  std::vector<std::uint16_t> again(40000);
  fill_random(ElementType::float16, 7, again);
  CHECK(again == elements);
  fill_random(ElementType::float16, 8, again);
  CHECK(again != elements);
}

TEST_CASE("ops.attention.trial: right kernels pass, whatever the class") {
  for (const bool aligned : {true, false}) {
    for (const std::int64_t seq_k : {0, 40}) {
      ComputingDevice device;
      AttentionProblem problem =
          problem_of({.batch = 2, .heads_q = 4, .heads_kv = 2, .seq_q = 70, .seq_k = seq_k}, aligned);
      for (const auto mask :
           {AttentionMask::none, AttentionMask::causal_bottom_right, AttentionMask::causal_top_left}) {
        problem.mask = mask;
        const hk::Status status = verified(device, problem);
        CHECK_MESSAGE(status.ok(), status.message);
      }
      problem.write_lse = false;
      CHECK(verified(device, problem).ok());
      // Only its own memory: the caller's pointers are made up, and following them would have crashed.
      CHECK(device.launched().size() == 4);
    }
  }
}

TEST_CASE("ops.attention.trial: each way of being wrong is found") {
  ComputingDevice device;
  const AttentionProblem problem = problem_of({.batch = 2, .heads_q = 4, .heads_kv = 2, .seq_q = 70, .seq_k = 40});
  const auto o_of = [](const AttentionProblem& set) { return static_cast<std::uint16_t*>(set.o.data); };
  const auto finds = [&](const char* text) {
    const hk::Status status = verified(device, problem);
    INFO(status.message);
    CHECK(status.code == hk::StatusCode::internal);
    CHECK(status.message.find(text) != std::string::npos);
  };
  device.spoil = [&](const std::string&, const AttentionProblem& set) { o_of(set)[0] = float_to_bfloat16(3.0F); };
  finds("o of batch 0, head 0, row 0, column 0 is 3");
  // One element that no sampled row has, left as it was.
  device.spoil = [&](const std::string&, const AttentionProblem& set) { o_of(set)[(3 * 70 + 50) * 128] = 0x7fff; };
  finds("not written, first in row 50 of head 3");
  device.spoil = [&](const std::string&, const AttentionProblem& set) { o_of(set)[-1] = 0; };
  finds("memory beside o was written");
  device.spoil = [&](const std::string&, const AttentionProblem& set) { o_of(set)[2 * 4 * 70 * 128] = 0; };
  finds("memory beside o was written");
  device.spoil = [](const std::string&, const AttentionProblem& set) { set.lse[2 * 4 * 70] = 0; };
  finds("memory beside lse was written");
  device.spoil = [](const std::string&, const AttentionProblem& set) { set.lse[0] += 1; };
  finds("lse of batch 0, head 0, row 0");
  device.spoil = [](const std::string&, const AttentionProblem& set) {
    set.lse[100] = std::bit_cast<float>(0x7fff7fffU);
  };
  finds("lse has elements that are NaN");
  device.spoil = nullptr;
  device.refuse_launch = [](const std::string&) {
    return hk::Status(hk::StatusCode::launch_failed, "the device refuses");
  };
  CHECK(verified(device, problem).code == hk::StatusCode::launch_failed);
}

TEST_CASE("ops.attention.trial: writing into the gap between rows is found") {
  ComputingDevice device;
  device.spoil = [](const std::string&, const AttentionProblem& set) {
    static_cast<std::uint16_t*>(set.o.data)[set.o.stride_row * 20 + 128] = 0;
  };
  const hk::Status status =
      verified(device, problem_of({.batch = 1, .heads_q = 2, .heads_kv = 1, .seq_q = 40, .seq_k = 40}, false));
  CHECK(status.message == "memory beside o was written");
}

TEST_CASE("ops.attention.trial: buffers are rotated until they are larger than the caches") {
  ComputingDevice device;
  const AttentionProblem problem = problem_of({.batch = 1, .heads_q = 2, .heads_kv = 1, .seq_q = 64, .seq_k = 64});
  auto trial = AttentionTrial::create(device, problem, {{false, std::uint64_t{1} << 28}, std::uint64_t{1} << 20, 1});
  REQUIRE(trial);
  const std::size_t sets = (*trial)->set_count();
  CHECK(sets > 4);
  CHECK(sets * tensor_bytes((*trial)->problem()) <= (std::uint64_t{1} << 20) + 64 * 4096);
  std::vector<const void*> outputs;
  device.spoil = [&](const std::string&, const AttentionProblem& set) { outputs.push_back(set.o.data); };
  const auto kernel = kernel_for(device, problem);
  for (std::size_t i = 0; i < sets + 1; ++i)
    REQUIRE((*trial)->launch(kernel, default_attention_configuration(problem), nullptr).ok());
  CHECK(outputs.front() == outputs.back());
  std::sort(outputs.begin(), outputs.end());
  CHECK(std::unique(outputs.begin(), outputs.end()) - outputs.begin() == static_cast<std::ptrdiff_t>(sets));
}

TEST_CASE("ops.attention.trial: a device without memory is out_of_memory") {
  class FullDevice final : public ComputingDevice {
   public:
    hk::Result<void*> allocate(std::size_t) override { return hk::fail(hk::StatusCode::out_of_memory, "full"); }
  } device;
  const auto trial = AttentionTrial::create(device, problem_of({}), {{false, std::uint64_t{1} << 28}, 0, 1});
  REQUIRE_FALSE(trial);
  CHECK(trial.error().code == hk::StatusCode::out_of_memory);
}

TEST_SUITE_END();
