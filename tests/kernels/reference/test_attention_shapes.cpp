// attention_forward on the reference target: every shape, mask and head ratio that the project promises.

#include <doctest/doctest.h>

#include "attention_check.h"

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("kernels.reference");

namespace {

constexpr int k_lengths[] = {1, 7, 63, 64, 65, 127, 129, 257, 300};
constexpr MaskKind k_masks[] = {MaskKind::none, MaskKind::causal_bottom_right, MaskKind::causal_top_left};

} // namespace

TEST_CASE("every pair of lengths under every mask, for every element type and head dimension") {
  unsigned seed = 1;
  for (const ElementKind element : {ElementKind::bf16, ElementKind::fp16}) {
    for (const int head_dim : {64, 128}) {
      for (const MaskKind mask : k_masks) {
        for (const int seq_q : k_lengths) {
          for (const int seq_k : k_lengths) {
            Shape shape;
            shape.element = element;
            shape.head_dim = head_dim;
            shape.mask = mask;
            shape.seq_q = seq_q;
            shape.seq_k = seq_k;
            Problem problem = make_problem(shape, Input::randn, ++seed);
            // Alternate, so that both tilings and both access classes see every mask and about half of the pairs.
            run_and_check(problem, {seed % 2 ? Tiles::q32_kv32 : Tiles::q128_kv64, seed % 3 != 0});
          }
        }
      }
    }
  }
}

TEST_CASE("head ratios: values that name their key head prove the head map") {
  struct Ratio {
    int heads_q, heads_kv;
  };
  for (const Ratio ratio : {Ratio{1, 1}, Ratio{4, 1}, Ratio{6, 2}, Ratio{5, 5}, Ratio{32, 8}}) {
    for (const MaskKind mask : k_masks) {
      Shape shape;
      shape.mask = mask;
      shape.batch = 2;
      shape.heads_q = ratio.heads_q;
      shape.heads_kv = ratio.heads_kv;
      shape.seq_q = 33;
      shape.seq_k = 40;
      Problem names = make_problem(shape, Input::head_id_v, 7);
      run_and_check(names);
      const int group = ratio.heads_q / ratio.heads_kv;
      for (int h = 0; h < ratio.heads_q; ++h) {
        const int key_head = h / group;
        CHECK(widen(shape.element, names.o.at(1, h, 32, 5)) == static_cast<float>(key_head + 1));
      }
      Problem random = make_problem(shape, Input::randn, 8);
      run_and_check(random);
    }
  }
}

TEST_CASE("no keys at all give zeros and a log-sum-exp of minus infinity") {
  for (const MaskKind mask : k_masks) {
    Shape shape;
    shape.mask = mask;
    shape.seq_q = 65;
    shape.seq_k = 0;
    Problem problem = make_problem(shape, Input::randn, 3);
    run_and_check(problem);
    CHECK(problem.o.at(0, 0, 64, 63) == 0);
  }
}

TEST_CASE("rows that see no key give zeros among rows that do") {
  Shape shape;
  shape.mask = MaskKind::causal_bottom_right;
  shape.seq_q = 100;
  shape.seq_k = 30; // queries 0..69 see nothing
  for (const Tiles tiles : {Tiles::q32_kv32, Tiles::q128_kv64}) {
    Problem problem = make_problem(shape, Input::randn, 4);
    run_and_check(problem, {tiles, true});
    CHECK(problem.o.at(0, 0, 69, 0) == 0);
    CHECK(problem.lse_at(0, 0, 69) == -std::numeric_limits<float>::infinity());
    CHECK(problem.lse_at(0, 0, 70) > -100.0f);
  }
}

TEST_SUITE_END();
