// attention_forward on the reference target: kernels with compile-time constants, without log-sum-exp, and with every
// legal tuning compute what the general kernel computes.

#include <cmath>
#include <doctest/doctest.h>

#include "attention_check.h"
#include "kernel_instances.h"

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("kernels.reference");

namespace {

using Base = InstanceConfig<bfloat16, 64, MaskKind::causal_bottom_right, true, 32, 32>;

struct ExactConfig : Base {
  static constexpr int group_size = 2;
  static constexpr int seq_q = 65;
  static constexpr int seq_k = 129;
};

struct NoLseConfig : Base {
  static constexpr bool write_lse = false;
};

Shape variant_shape() {
  Shape shape;
  shape.mask = MaskKind::causal_bottom_right;
  shape.batch = 2;
  shape.heads_q = 4;
  shape.heads_kv = 2;
  shape.seq_q = 65;
  shape.seq_k = 129;
  return shape;
}

template <int HeadDim, int TileQ, int TileKv>
void check_tuning() {
  for (const Input input : {Input::std_8, Input::head_id_v}) {
    Shape shape = variant_shape();
    shape.head_dim = HeadDim;
    Problem problem = make_problem(shape, input, 51);
    attention_forward_host<InstanceConfig<bfloat16, HeadDim, MaskKind::causal_bottom_right, true, TileQ, TileKv>>(
        problem.arguments());
    check_outputs(problem, expected_attention(problem));
  }
}

} // namespace

TEST_CASE("lengths and head ratio as constants change no bit") {
  Problem general = make_problem(variant_shape(), Input::std_8, 52);
  Problem exact = general;
  attention_forward_host<Base>(general.arguments());
  AttentionForwardArguments arguments = exact.arguments();
  arguments.seq_q = 1000000; // must not be read: the grid below is that of 65 queries
  arguments.group_size = 77;
  const int tiles = (65 + 31) / 32;
  reference::run_workgroups(2 * 4 * tiles, [&] { attention_forward<ExactConfig>(arguments); });
  CHECK(general.o.storage() == exact.o.storage());
  for (std::size_t i = Problem::k_lse_guard; i + Problem::k_lse_guard < general.lse.size(); ++i)
    CHECK(general.lse[i] == exact.lse[i]);
}

TEST_CASE("without log-sum-exp the output has the same bits and lse is not touched") {
  Problem general = make_problem(variant_shape(), Input::randn, 53);
  Problem without = general;
  attention_forward_host<Base>(general.arguments());
  AttentionForwardArguments arguments = without.arguments();
  arguments.lse = nullptr;
  attention_forward_host<NoLseConfig>(arguments);
  CHECK(general.o.storage() == without.o.storage());
}

TEST_CASE("every legal tile shape") {
  check_tuning<64, 32, 32>();
  check_tuning<64, 32, 64>();
  check_tuning<64, 64, 32>();
  check_tuning<64, 64, 64>();
  check_tuning<64, 64, 128>();
  check_tuning<64, 128, 64>();
  check_tuning<64, 128, 128>();
  check_tuning<64, 256, 128>();
  check_tuning<128, 32, 32>();
  check_tuning<128, 64, 32>();
  check_tuning<128, 64, 64>();
  check_tuning<128, 128, 32>();
  check_tuning<128, 128, 64>();
  check_tuning<128, 256, 64>();
}

TEST_SUITE_END();
