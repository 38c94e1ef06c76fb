// attention_forward on the reference target: inputs on which an online softmax goes wrong.

#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>

#include "attention_check.h"

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("kernels.reference");

namespace {

Shape middle_shape(ElementKind element, MaskKind mask) {
  Shape shape;
  shape.element = element;
  shape.mask = mask;
  shape.heads_q = 2;
  shape.seq_q = 129;
  shape.seq_k = 257;
  return shape;
}

/// Distance in units of the element type between two finite values of it.
int ulps_apart(std::uint16_t a, std::uint16_t b) {
  const auto ordered = [](std::uint16_t x) { return x & 0x8000 ? 0x8000 - x : static_cast<int>(x); };
  return std::abs(ordered(a) - ordered(b));
}

constexpr std::uint16_t nan_of(ElementKind) {
  return 0x7fff;
}

} // namespace

TEST_CASE("logits of standard deviation 8, and peaked ones") {
  for (const ElementKind element : {ElementKind::bf16, ElementKind::fp16}) {
    for (const MaskKind mask : {MaskKind::none, MaskKind::causal_bottom_right}) {
      for (const Input input : {Input::std_8, Input::peaked}) {
        Problem problem = make_problem(middle_shape(element, mask), input, 21);
        run_and_check(problem, {Tiles::q32_kv32, true});
        run_and_check(problem, {Tiles::q128_kv64, true});
      }
    }
  }
}

TEST_CASE("a maximum that rises in every step, and one that falls") {
  // One feature; key j is +-j / 4, so that each step of 32 keys is 8 to 12 bits above or below the one before.
  for (const double sign : {1.0, -1.0}) {
    Shape shape = middle_shape(ElementKind::bf16, MaskKind::none);
    Problem problem = make_problem(shape, Input::randn, 22);
    for (int h = 0; h < 2; ++h) {
      for (int c = 0; c < shape.head_dim; ++c) {
        for (int i = 0; i < shape.seq_q; ++i)
          problem.q.at(0, h, i, c) = round_to(shape.element, c == 0 ? 1.0 + 0.5 * (i % 3) : 0.0);
      }
    }
    for (int j = 0; j < shape.seq_k; ++j)
      problem.k.at(0, 0, j, 0) = round_to(shape.element, sign * 2.0 * j);
    run_and_check(problem);
    run_and_check(problem, {Tiles::q128_kv64, true});
  }
}

TEST_CASE("all logits far below zero: the sums do not underflow") {
  Shape shape = middle_shape(ElementKind::bf16, MaskKind::causal_top_left);
  Problem problem = make_problem(shape, Input::randn, 23);
  for (int h = 0; h < 2; ++h)
    for (int i = 0; i < shape.seq_q; ++i)
      problem.q.at(0, h, i, 0) = round_to(shape.element, 64.0);
  for (int j = 0; j < shape.seq_k; ++j)
    problem.k.at(0, 0, j, 0) = round_to(shape.element, -64.0);
  run_and_check(problem);
}

TEST_CASE("scores of minus infinity count as hidden keys") {
  Shape shape = middle_shape(ElementKind::bf16, MaskKind::none);
  shape.heads_q = 1;
  Problem problem = make_problem(shape, Input::randn, 24);
  Problem shorter = problem;
  // Keys 0..99 overflow to -inf in every query; what remains is the problem without them.
  for (int i = 0; i < shape.seq_q; ++i)
    problem.q.at(0, 0, i, 0) = round_to(shape.element, 1.0);
  for (int j = 0; j < 100; ++j)
    problem.k.at(0, 0, j, 0) = 0xff80;
  for (int j = 100; j < shape.seq_k; ++j)
    problem.k.at(0, 0, j, 0) = 0;
  shorter.shape.seq_k = shape.seq_k - 100;
  shorter.k = Tensor::contiguous(1, 1, shorter.shape.seq_k, shape.head_dim);
  shorter.v = Tensor::contiguous(1, 1, shorter.shape.seq_k, shape.head_dim);
  shorter.q = problem.q;
  for (int j = 0; j < shorter.shape.seq_k; ++j) {
    for (int c = 0; c < shape.head_dim; ++c) {
      shorter.k.at(0, 0, j, c) = problem.k.at(0, 0, j + 100, c);
      shorter.v.at(0, 0, j, c) = problem.v.at(0, 0, j + 100, c);
    }
  }
  find_kernel(shape, {})(problem.arguments());
  check_outputs(problem, expected_attention(shorter));
}

TEST_CASE("equal values come back exactly, whatever the logits") {
  for (const ElementKind element : {ElementKind::bf16, ElementKind::fp16}) {
    for (const double gain : {1.0, 4.0}) {
      Shape shape = middle_shape(element, MaskKind::causal_bottom_right);
      Problem problem = make_problem(shape, Input::constant_v, 25);
      for (int h = 0; h < 2; ++h)
        for (int i = 0; i < shape.seq_q; ++i)
          for (int c = 0; c < shape.head_dim; ++c)
            problem.q.at(0, h, i, c) = round_to(element, gain * widen(element, problem.q.at(0, h, i, c)));
      run_and_check(problem);
      int furthest = 0;
      for (int h = 0; h < 2; ++h)
        for (int i = 0; i < shape.seq_q; ++i)
          for (int c = 0; c < shape.head_dim; ++c)
            furthest = std::max(furthest, ulps_apart(problem.o.at(0, h, i, c), problem.v.at(0, 0, 0, c)));
      CHECK(furthest == 0);
    }
  }
}

TEST_CASE("one-hot values show single probabilities") {
  for (const ElementKind element : {ElementKind::bf16, ElementKind::fp16}) {
    Shape shape = middle_shape(element, MaskKind::none);
    shape.seq_k = 64;
    Problem problem = make_problem(shape, Input::one_hot_v, 26);
    run_and_check(problem);
  }
}

TEST_CASE("scales: negative, zero, large") {
  for (const float scale : {-0.125f, 1e-30f, 2.0f}) {
    Shape shape = middle_shape(ElementKind::bf16, MaskKind::causal_bottom_right);
    Problem problem = make_problem(shape, Input::randn, 27);
    problem.shape.scale = scale;
    run_and_check(problem);
  }
  Problem problem = make_problem(middle_shape(ElementKind::bf16, MaskKind::causal_bottom_right), Input::randn, 28);
  AttentionForwardArguments arguments = problem.arguments();
  arguments.scale_log2e = 0.0f;
  find_kernel(problem.shape, {})(arguments);
  problem.shape.scale = 1e-30f;
  check_outputs(problem, expected_attention(problem));
}

TEST_CASE("a visible NaN reaches exactly the rows that see it") {
  Shape shape = middle_shape(ElementKind::bf16, MaskKind::causal_top_left);
  for (const bool in_key : {true, false}) {
    Problem problem = make_problem(shape, Input::randn, 29);
    (in_key ? problem.k : problem.v).at(0, 0, 64, 3) = nan_of(shape.element);
    find_kernel(shape, {Tiles::q32_kv32, true})(problem.arguments());
    // Workgroups of 32 queries: 0..63 never read row 64.
    for (int i = 0; i < shape.seq_q; ++i) {
      const bool nan = std::isnan(widen(shape.element, problem.o.at(0, 1, i, 3)));
      if (i < 64)
        CHECK_FALSE(nan);
      if (i >= 64)
        CHECK(nan);
      if (i >= 64)
        CHECK(std::isnan(problem.lse_at(0, 1, i)) == in_key);
    }
  }
}

TEST_SUITE_END();
