// Strides and alignment: the same bits whatever the order of dimensions, right results whatever the address.

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "device_run.h"
#include "inputs.h"
#include "rotation.h"
#include "verdict.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr std::array k_layouts = {Layout::batch_head_row, Layout::batch_row_head, Layout::row_batch_head};

Shape shape_with(std::int64_t head_dim, hk_mask mask, std::int64_t seq_q, std::int64_t seq_k) {
  Shape shape = rotated_shape(head_dim, mask, seq_q, seq_k, turn_of_device());
  shape.batch = 2;
  shape.heads_q = 4;
  shape.heads_kv = 2;
  return shape;
}

// The same inputs as `original` in other places.
void copy_inputs(const Problem& original, Problem& other) {
  const auto copy = [](const Tensor<std::uint16_t>& from, Tensor<std::uint16_t>& to) {
    for (std::int64_t b = 0; b < from.sizes().batch; ++b) {
      for (std::int64_t h = 0; h < from.sizes().heads; ++h) {
        for (std::int64_t r = 0; r < from.sizes().rows; ++r) {
          for (std::int64_t c = 0; c < from.sizes().columns; ++c)
            to.at(b, h, r, c) = from.at(b, h, r, c);
        }
      }
    }
  };
  copy(original.q, other.q);
  copy(original.k, other.k);
  copy(original.v, other.v);
}

Problem dense_run(const Context& context, const Shape& shape) {
  Problem problem(shape);
  fill(problem, Input::normal);
  run(context, problem);
  check_against_reference(problem);
  return problem;
}

bool runs_aligned(const Context& context, const hk_attention_args& args) {
  return context.describe(args).find("\"alignment\":\"16 bytes\"") != std::string::npos;
}

} // namespace

TEST_SUITE_BEGIN("layouts");

TEST_CASE("layouts: every combination for q, k, v and o gives the same bits") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    const Problem dense = dense_run(context, shape_with(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 7, 65));
    for (const Layout q : k_layouts) {
      for (const Layout k : k_layouts) {
        for (const Layout v : k_layouts) {
          for (const Layout o : k_layouts) {
            Problem other(dense.shape, {q, k, v, o, 0, {}});
            copy_inputs(dense, other);
            run(context, other);
            check_same_bits(dense, other);
          }
        }
      }
    }
  }
}

TEST_CASE("layouts: gaps between rows, NaN in them") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      const Problem dense = dense_run(context, shape_with(head_dim, mask, 129, 127));
      for (const Layout layout : k_layouts) {
        for (const std::int64_t padding : {8, 120}) { // a multiple of 16 bytes
          Problem other(dense.shape, {layout, layout, layout, layout, padding, {}});
          copy_inputs(dense, other);
          run(context, other);
          check_same_bits(dense, other);
        }
      }
    }
  }
}

TEST_CASE("layouts: q, k and v packed into one tensor") {
  // [batch][row][q, k, v][head][column], as a fused projection writes it.
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    Shape shape = shape_with(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 65, 65);
    shape.heads_kv = shape.heads_q;
    const Problem dense = dense_run(context, shape);
    const std::int64_t part = shape.heads_q * head_dim;
    const Strides strides{shape.seq_q * 3 * part, head_dim, 3 * part};
    Problem packed(shape);
    for (Tensor<std::uint16_t>* tensor : {&packed.q, &packed.k, &packed.v})
      *tensor = Tensor<std::uint16_t>(shape.query_sizes(), strides);
    copy_inputs(dense, packed);
    // One buffer that takes from each tensor what the others leave as guard.
    const std::size_t guard = packed.q.first();
    std::vector<std::uint16_t> together(packed.q.storage().size() + static_cast<std::size_t>(2 * part),
                                        Tensor<std::uint16_t>::k_guard);
    std::size_t offset = 0;
    for (const Tensor<std::uint16_t>* tensor : {&packed.q, &packed.k, &packed.v}) {
      for (std::size_t i = 0; i < tensor->storage().size(); ++i) {
        if (tensor->storage()[i] != Tensor<std::uint16_t>::k_guard)
          together[offset + i] = tensor->storage()[i];
      }
      offset += static_cast<std::size_t>(part);
    }
    const DeviceArray<std::uint16_t> on_device(context, together);
    DeviceProblem problem(context, packed);
    hk_attention_args args = problem.args();
    args.q.data = on_device.data() + guard;
    args.k.data = on_device.data() + guard + part;
    args.v.data = on_device.data() + guard + 2 * part;
    CHECK(runs_aligned(context, args));
    context.attention(args);
    problem.fetch();
    check_same_bits(dense, packed);
  }
}

TEST_CASE("layouts: expanded keys and values (stride 0)") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      const Shape shape = shape_with(head_dim, mask, 65, 129);
      const Strides dense = dense_strides(shape.key_sizes());
      for (const Strides& strides : {Strides{0, dense.head, dense.row}, Strides{dense.batch, 0, dense.row},
                                     Strides{0, 0, dense.row}, Strides{dense.batch, dense.head, 0}, Strides{0, 0, 0}}) {
        Problem problem(shape);
        problem.k = Tensor<std::uint16_t>(shape.key_sizes(), strides);
        problem.v = Tensor<std::uint16_t>(shape.key_sizes(), strides);
        CAPTURE(strides.batch);
        CAPTURE(strides.head);
        CAPTURE(strides.row);
        fill(problem, Input::normal);
        run(context, problem);
        check_against_reference(problem);
      }
      Problem one_row(shape);
      one_row.v = Tensor<std::uint16_t>(shape.key_sizes(), {dense.batch, dense.head, 0});
      fill(one_row, Input::normal);
      run(context, one_row);
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < shape.seq_q; ++i) {
        for (std::int64_t c = 0; c < head_dim && shape.sees(i, 0); ++c)
          wrong += one_row.o.at(1, 2, i, c) == one_row.v.at(1, 1, 0, c) ? 0 : 1;
      }
      CHECK(wrong == 0); // a mean of equal rows is that row
    }
  }
}

TEST_CASE("layouts: expanded queries, and rows that overlap") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    const Shape shape = shape_with(head_dim, HK_MASK_CAUSAL_TOP_LEFT, 65, 129);
    Problem problem(shape);
    problem.q = Tensor<std::uint16_t>(shape.query_sizes(), {0, 0, 0});
    problem.k = Tensor<std::uint16_t>(shape.key_sizes(), {0, 4096, 8}); // each row begins 8 elements after the last
    problem.v = Tensor<std::uint16_t>(shape.key_sizes(), {8192, 0, 16});
    fill(problem, Input::normal);
    run(context, problem);
    check_against_reference(problem);
  }
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("alignment");

TEST_CASE("alignment: all pointers one element off the 16-byte grid") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : {HK_MASK_NONE, HK_MASK_CAUSAL_BOTTOM_RIGHT}) {
      for (const auto& [seq_q, seq_k] : {std::pair{7, 65}, std::pair{129, 300}, std::pair{65, 1}}) {
        Arrangement arrangement;
        arrangement.surround.offset = 1;
        Problem problem(shape_with(head_dim, mask, seq_q, seq_k), arrangement);
        CHECK_FALSE(runs_aligned(context, DeviceProblem(context, problem).args()));
        fill(problem, Input::normal);
        run(context, problem);
        check_against_reference(problem);
        // The aligned kernel on the same numbers.
        Problem aligned(problem.shape);
        copy_inputs(problem, aligned);
        run(context, aligned);
        check_against_reference(aligned);
      }
    }
  }
}

TEST_CASE("alignment: any one tensor off the grid, nothing behind its last element") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (int which = 0; which < 4; ++which) {
      CAPTURE(which);
      const Shape shape = shape_with(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 129, 127);
      Problem problem(shape);
      Tensor<std::uint16_t>* const tensors[] = {&problem.q, &problem.k, &problem.v, &problem.o};
      Tensor<std::uint16_t>& moved = *tensors[which];
      moved = Tensor<std::uint16_t>(moved.sizes(), moved.strides(), {0, 3});
      CHECK_FALSE(runs_aligned(context, DeviceProblem(context, problem).args()));
      fill(problem, Input::deviation8);
      run(context, problem);
      check_against_reference(problem);
    }
  }
}

TEST_CASE("alignment: odd row strides") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const Layout layout : k_layouts) {
      for (const std::int64_t padding : {1, 3, 4}) {
        Arrangement arrangement{layout, layout, layout, layout, padding, {}};
        arrangement.surround.guard = padding == 3 ? 0 : 64;
        Problem problem(shape_with(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 129, 65), arrangement);
        CHECK_FALSE(runs_aligned(context, DeviceProblem(context, problem).args()));
        fill(problem, Input::normal);
        run(context, problem);
        check_against_reference(problem);
      }
    }
  }
}

TEST_CASE("alignment: expanded keys and values at an odd address") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    const Shape shape = shape_with(head_dim, HK_MASK_NONE, 65, 129);
    Problem problem(shape);
    problem.k = Tensor<std::uint16_t>(shape.key_sizes(), {0, 0, head_dim + 1}, {0, 1});
    problem.v = Tensor<std::uint16_t>(shape.key_sizes(), {0, 0, 0}, {0, 5});
    fill(problem, Input::normal);
    run(context, problem);
    check_against_reference(problem);
  }
}

TEST_SUITE_END();
