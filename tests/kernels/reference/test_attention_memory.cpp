// attention_forward on the reference target: where tensors lie, and what must not be read or written.

#include <cmath>
#include <doctest/doctest.h>

#include "attention_check.h"

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("kernels.reference");

namespace {

Shape grouped_shape(MaskKind mask) {
  Shape shape;
  shape.mask = mask;
  shape.batch = 2;
  shape.heads_q = 4;
  shape.heads_kv = 2;
  shape.seq_q = 70;
  shape.seq_k = 70;
  return shape;
}

} // namespace

TEST_CASE("[batch, row, head, feature] strides") {
  const Shape shape = grouped_shape(MaskKind::causal_bottom_right);
  Problem problem = make_problem(shape, Input::randn, 41);
  const auto rows_first = [&](int heads, int rows) {
    return Tensor(shape.batch, heads, rows, shape.head_dim, static_cast<std::ptrdiff_t>(rows) * heads * shape.head_dim,
                  shape.head_dim, static_cast<std::ptrdiff_t>(heads) * shape.head_dim);
  };
  problem.q = rows_first(4, 70), problem.k = rows_first(2, 70), problem.v = rows_first(2, 70),
  problem.o = rows_first(4, 70);
  fill(problem, Input::randn, 41);
  for (const bool aligned : {true, false})
    run_and_check(problem, {Tiles::q32_kv32, aligned});
}

TEST_CASE("q, k and v packed in one tensor [batch, row, heads_q + 2 heads_kv, feature]") {
  const Shape shape = grouped_shape(MaskKind::none);
  const int heads = shape.heads_q + 2 * shape.heads_kv;
  Problem problem = make_problem(shape, Input::randn, 42);
  Tensor packed(shape.batch, heads, 70, shape.head_dim, static_cast<std::ptrdiff_t>(70) * heads * shape.head_dim,
                shape.head_dim, static_cast<std::ptrdiff_t>(heads) * shape.head_dim);
  const auto copy = [&](const Tensor& from, int first_head) {
    for (int b = 0; b < from.batch; ++b)
      for (int h = 0; h < from.heads; ++h)
        for (int r = 0; r < from.rows; ++r)
          for (int c = 0; c < from.columns; ++c)
            packed.at(b, first_head + h, r, c) = from.at(b, h, r, c);
  };
  copy(problem.q, 0), copy(problem.k, shape.heads_q), copy(problem.v, shape.heads_q + shape.heads_kv);
  AttentionForwardArguments arguments = problem.arguments();
  const int64 row = packed.stride_row * 2, batch = packed.stride_batch * 2, head = shape.head_dim * 2;
  arguments.q = packed.data();
  arguments.k = packed.data() + shape.heads_q * shape.head_dim;
  arguments.v = packed.data() + (shape.heads_q + shape.heads_kv) * shape.head_dim;
  arguments.q_stride_batch = arguments.k_stride_batch = arguments.v_stride_batch = batch;
  arguments.q_stride_head = arguments.k_stride_head = arguments.v_stride_head = head;
  arguments.q_stride_row = arguments.k_stride_row = arguments.v_stride_row = row;
  for (const bool aligned : {true, false}) {
    spoil_outputs(problem);
    find_kernel(shape, {Tiles::q128_kv64, aligned})(arguments);
    check_outputs(problem, expected_attention(problem));
  }
}

TEST_CASE("expanded keys and values: stride 0 over batch, heads or rows") {
  struct Strides {
    std::ptrdiff_t batch, head, row;
  };
  for (const Strides s : {Strides{0, 4480, 64}, Strides{8960, 0, 64}, Strides{128, 64, 0}, Strides{0, 0, 0}}) {
    const Shape shape = grouped_shape(MaskKind::causal_top_left);
    Problem problem = make_problem(shape, Input::randn, 43);
    problem.k = Tensor(shape.batch, shape.heads_kv, 70, 64, s.batch, s.head, s.row);
    problem.v = Tensor(shape.batch, shape.heads_kv, 70, 64, s.batch, s.head, s.row);
    fill(problem, Input::randn, 43);
    for (const bool aligned : {true, false})
      run_and_check(problem, {Tiles::q32_kv32, aligned});
  }
}

TEST_CASE("pointers and strides with the alignment of one element") {
  const Shape shape = grouped_shape(MaskKind::causal_bottom_right);
  Problem problem = make_problem(shape, Input::randn, 44);
  const auto odd = [&](int heads, std::size_t offset) {
    return Tensor(shape.batch, heads, 70, 64, 70 * 67 * heads + 3, 70 * 67 + 1, 67, offset);
  };
  problem.q = odd(4, 1), problem.k = odd(2, 3), problem.v = odd(2, 5), problem.o = odd(4, 7);
  fill(problem, Input::randn, 44);
  run_and_check(problem, {Tiles::q32_kv32, false});
  run_and_check(problem, {Tiles::q128_kv64, false});
}

TEST_CASE("NaN in keys and values that no query sees stays there") {
  for (const bool aligned : {true, false}) {
    for (const Tiles tiles : {Tiles::q32_kv32, Tiles::q128_kv64}) {
      Shape shape = grouped_shape(MaskKind::causal_top_left);
      shape.seq_k = 300;
      Problem problem = make_problem(shape, Input::randn, 45);
      for (int b = 0; b < shape.batch; ++b)
        for (int h = 0; h < shape.heads_kv; ++h)
          for (int j = shape.seq_q; j < shape.seq_k; ++j)
            for (int c = 0; c < shape.head_dim; ++c)
              problem.k.at(b, h, j, c) = problem.v.at(b, h, j, c) = 0x7fff;
      // The expected values read visible rows only, and so must the kernel.
      run_and_check(problem, {tiles, aligned});
    }
  }
}

TEST_CASE("NaN in keys and values that no query of a workgroup sees does not reach it") {
  Shape shape = grouped_shape(MaskKind::causal_bottom_right);
  Problem problem = make_problem(shape, Input::randn, 46);
  for (int j = 64; j < 70; ++j)
    for (int c = 0; c < shape.head_dim; ++c)
      problem.k.at(1, 1, j, c) = problem.v.at(1, 1, j, c) = 0x7fff;
  find_kernel(shape, {Tiles::q32_kv32, true})(problem.arguments());
  const Expected expected = expected_attention(problem);
  for (int i = 0; i < 70; ++i) {
    const double got = widen(shape.element, problem.o.at(1, 3, i, 9));
    CHECK(std::isnan(got) == (i >= 64));
    const std::size_t index = ((static_cast<std::size_t>(1) * 4 + 3) * 70 + static_cast<std::size_t>(i)) * 64 + 9;
    if (i < 64)
      CHECK(std::fabs(got - expected.o[index]) < 0.05);
  }
}

TEST_SUITE_END();
