#include <doctest/doctest.h>

#include <cmath>

#include "ops/attention/launch.h"
#include "sample_problem.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;
using hk::test::sample_args;

namespace {

constexpr AttentionConfiguration k_four_waves = {.waves = 4, .tile_q = 128, .tile_kv = 64};

AttentionProblem sized(std::int64_t batch, std::int64_t heads_q, std::int64_t seq_q) {
  AttentionProblem problem;
  problem.batch = batch;
  problem.heads_q = heads_q;
  problem.heads_kv = 1;
  problem.seq_q = seq_q;
  return problem;
}

} // namespace

TEST_CASE("ops.attention.launch: one workgroup per batch, query head and tile of rows") {
  const auto shape = attention_launch_shape(sized(2, 8, 129), k_four_waves);
  REQUIRE(shape);
  CHECK(shape->workgroups == 2 * 8 * 2);
  CHECK(shape->workgroup_size == 256);
  CHECK(attention_launch_shape(sized(1, 1, 1), k_four_waves)->workgroups == 1);
  CHECK(attention_launch_shape(sized(1, 1, 128), k_four_waves)->workgroups == 1);
  CHECK(attention_launch_shape(sized(65536, 8, 4), k_four_waves)->workgroups == 524288);
}

TEST_CASE("ops.attention.launch: a grid of 2^32 work-items or more is refused") {
  // 256 work-items: 16777215 workgroups fit, 16777216 do not.
  CHECK(attention_launch_shape(sized(16777215, 1, 1), k_four_waves));
  const auto refused = attention_launch_shape(sized(16777216, 1, 1), k_four_waves);
  REQUIRE(!refused);
  CHECK(refused.error().code == hk::StatusCode::unsupported);
  CHECK(refused.error().message.find("16777216") != std::string::npos);
  constexpr std::int64_t k_largest = std::int64_t{1} << 30;
  CHECK(!attention_launch_shape(sized(k_largest, k_largest, k_largest), k_four_waves));
}

TEST_CASE("ops.attention.launch: arguments are in bytes, the scale in base 2") {
  hk_attention_args args = sample_args();
  args.k.stride_batch = std::int64_t{1} << 32;
  args.scale = 0.25F;
  const auto problem = make_attention_problem(args, AttentionUse::launch);
  REQUIRE(problem);
  const hk::AttentionForwardArguments arguments = attention_arguments(*problem);
  CHECK(arguments.q == args.q.data);
  CHECK(arguments.k == args.k.data);
  CHECK(arguments.v == args.v.data);
  CHECK(arguments.o == args.o.data);
  CHECK(arguments.lse == args.lse);
  CHECK(arguments.q_stride_batch == 2 * 8 * 96 * 128);
  CHECK(arguments.q_stride_head == 2 * 96 * 128);
  CHECK(arguments.q_stride_row == 2 * 128);
  CHECK(arguments.k_stride_batch == std::int64_t{1} << 33);
  CHECK(arguments.k_stride_head == 2 * 160 * 128);
  CHECK(arguments.v_stride_batch == 2 * 2 * 160 * 128);
  CHECK(arguments.v_stride_row == 2 * 128);
  CHECK(arguments.o_stride_head == 2 * 96 * 128);
  CHECK(arguments.lse_stride_batch == 4 * 8 * 96);
  CHECK(arguments.lse_stride_head == 4 * 96);
  CHECK(arguments.batch == 2);
  CHECK(arguments.heads_q == 8);
  CHECK(arguments.heads_kv == 2);
  CHECK(arguments.seq_q == 96);
  CHECK(arguments.seq_k == 160);
  CHECK(arguments.group_size == 4);
  CHECK(arguments.scale_log2e == doctest::Approx(0.25 / std::log(2.0)).epsilon(1e-7));
  CHECK(arguments.reserved == 0);
}

TEST_CASE("ops.attention.launch: a wave is as wide as the processor's") {
  AttentionProblem problem = sized(1, 1, 128);
  problem.processor = hk::codeobj::find_processor("sm_90");
  CHECK(attention_launch_shape(problem, k_four_waves)->workgroup_size == 128);
  problem.processor = hk::codeobj::find_processor("gfx942");
  CHECK(attention_launch_shape(problem, k_four_waves)->workgroup_size == 256);
}

TEST_SUITE_END();
