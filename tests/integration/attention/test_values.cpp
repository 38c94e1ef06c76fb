// Inputs whose result is known, or hard to get right: peaked logits, equal values, one-hot values, scales, nothing to
// see.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "device_run.h"
#include "inputs.h"
#include "rotation.h"
#include "verdict.h"

using namespace hk;
using namespace hk::test;

namespace {

// Kernels of the shape tests, so that few more are compiled.
Shape shape_with(std::int64_t head_dim, hk_mask mask, std::int64_t seq_q, std::int64_t seq_k, Heads heads = {6, 2}) {
  Shape shape = rotated_shape(head_dim, mask, seq_q, seq_k, turn_of_device());
  shape.batch = 1;
  shape.heads_q = heads.q;
  shape.heads_kv = heads.kv;
  return shape;
}

// Calls action(batch, head, row) for each row of output.
template <typename Action>
void for_each_output_row(const Shape& shape, Action&& action) {
  for (std::int64_t b = 0; b < shape.batch; ++b) {
    for (std::int64_t h = 0; h < shape.heads_q; ++h) {
      for (std::int64_t i = 0; i < shape.seq_q; ++i)
        action(b, h, i);
    }
  }
}

// For each head dimension and mask: a problem of a few tiles.
template <typename Check>
void for_each_family(Check&& check) {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      Problem problem(shape_with(head_dim, mask, 129, 257));
      INFO(problem.shape.text());
      check(context, problem);
    }
  }
}

} // namespace

TEST_SUITE_BEGIN("values");

TEST_CASE("values: logits of deviation 8") {
  for_each_family([](const Context& context, Problem& problem) {
    fill(problem, Input::deviation8);
    run(context, problem);
    check_against_reference(problem);
  });
}

TEST_CASE("values: one key far above the others") {
  for_each_family([](const Context& context, Problem& problem) {
    fill(problem, Input::peaked);
    run(context, problem);
    check_against_reference(problem);
  });
}

TEST_CASE("values: the peak in the last key, far above what earlier tiles held") {
  // The running maximum rises by about 100 in the last tile and everything before it must vanish.
  for_each_family([](const Context& context, Problem& problem) {
    const Shape& shape = problem.shape;
    fill(problem, Input::normal);
    for_each_output_row(shape, [&](auto b, auto h, auto i) {
      for (std::int64_t c = 0; c < shape.head_dim; ++c)
        problem.q.at(b, h, i, c) = narrow(shape.dtype, 1);
    });
    for (std::int64_t h = 0; h < shape.heads_kv; ++h) {
      for (std::int64_t c = 0; c < shape.head_dim; ++c)
        problem.k.at(0, h, shape.seq_k - 1, c) = narrow(shape.dtype, 12);
    }
    run(context, problem);
    check_against_reference(problem);
  });
}

TEST_CASE("values: equal values come out exactly") {
  for (const Input logits : {Input::normal, Input::deviation8}) {
    for_each_family([logits](const Context& context, Problem& problem) {
      fill(problem, Input::constant_v);
      fill_normal(problem.q, problem.shape.dtype, logits == Input::normal ? 1 : 8, 77);
      run(context, problem);
      std::int64_t wrong = 0;
      for_each_output_row(problem.shape, [&](auto b, auto h, auto i) {
        for (std::int64_t c = 0; c < problem.shape.head_dim && problem.shape.sees(i, 0); ++c)
          wrong += problem.output(b, h, i, c) == constant_value(c) ? 0 : 1;
      });
      CHECK(wrong == 0);
    });
  }
}

TEST_CASE("values: one-hot values show the probabilities") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      // As many keys as columns: a row of O is a row of P, wherever a tile of keys begins or ends.
      Problem problem(shape_with(head_dim, mask, 65, head_dim - 1));
      INFO(problem.shape.text());
      fill(problem, Input::one_hot_v);
      run(context, problem);
      check_against_reference(problem);
      std::int64_t seen_by_nobody = 0;
      double largest_deviation = 0;
      for_each_output_row(problem.shape, [&](auto b, auto h, auto i) {
        double sum = 0;
        for (std::int64_t c = 0; c < head_dim; ++c) {
          const bool visible = c < problem.shape.seq_k && problem.shape.sees(i, c);
          seen_by_nobody += !visible && problem.output(b, h, i, c) != 0 ? 1 : 0;
          sum += problem.output(b, h, i, c);
        }
        largest_deviation = std::max(largest_deviation, problem.shape.sees(i, 0) ? std::abs(sum - 1) : 0);
      });
      CHECK(seen_by_nobody == 0);
      // Each probability is rounded once; their sum before that is 1 within rounding of float.
      CHECK(largest_deviation <= ulp_at(problem.shape.dtype, 0.99) + 1e-5);
    }
  }
}

TEST_CASE("values: each query head reads the key head of its group") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const Heads& heads : k_heads) {
      Shape shape = shape_with(head_dim, HK_MASK_NONE, 129, 65, heads);
      shape.batch = 3;
      Problem problem(shape);
      INFO(shape.text());
      fill(problem, Input::head_id_v);
      run(context, problem);
      std::int64_t wrong = 0;
      for_each_output_row(shape, [&](auto b, auto h, auto i) {
        const std::int64_t expected = b * heads.kv + h / (heads.q / heads.kv) + 1;
        for (std::int64_t c = 0; c < head_dim; ++c)
          wrong += problem.output(b, h, i, c) == static_cast<double>(expected) ? 0 : 1;
      });
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("values: rows that see no key are zero and have an LSE of -infinity") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const auto& [seq_q, seq_k] : {std::pair{300, 1}, std::pair{129, 64}, std::pair{20, 10}}) {
      Problem problem(shape_with(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, seq_q, seq_k));
      problem.shape.want_lse = true;
      INFO(problem.shape.text());
      fill(problem, Input::normal);
      run(context, problem);
      check_against_reference(problem);
      for (std::int64_t i = 0; i < seq_q; ++i) {
        const bool sees_nothing = i < seq_q - seq_k;
        CHECK((problem.log_sum(0, 5, i) == -std::numeric_limits<float>::infinity()) == sees_nothing);
        CHECK((problem.o.at(0, 5, i, head_dim - 1) == 0) == sees_nothing);
      }
    }
  }
}

TEST_CASE("values: without keys all rows are zero") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      for (const std::int64_t seq_q : {1, 65, 300}) {
        Shape shape = shape_with(head_dim, mask, seq_q, 0);
        shape.batch = 2;
        Problem problem(shape);
        fill(problem, Input::normal);
        DeviceProblem on_device(context, problem);
        hk_attention_args args = on_device.args();
        if (seq_q == 65)
          args.k.data = args.v.data = nullptr; // not needed
        context.attention(args);
        on_device.fetch();
        check_against_reference(problem);
      }
    }
  }
}

TEST_CASE("values: without rows or without batch nothing is launched and nothing is written") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    Problem problem(shape_with(head_dim, HK_MASK_NONE, 7, 7));
    fill(problem, Input::normal);
    for (const bool no_rows : {false, true}) {
      DeviceProblem on_device(context, problem);
      hk_attention_args args = on_device.args();
      (no_rows ? args.seq_q : args.batch) = 0;
      CHECK(hk_attention_prepare(context.get(), &args) == HK_STATUS_SUCCESS);
      context.attention(args);
      args.q.data = args.k.data = args.v.data = args.o.data = nullptr;
      args.lse = nullptr;
      context.attention(args);
      on_device.fetch();
      for_each_output_row(problem.shape, [&](auto b, auto h, auto i) {
        CHECK(problem.o.at(b, h, i, 0) == k_nan_bits);
        CHECK(problem.o.at(b, h, i, head_dim - 1) == k_nan_bits);
      });
    }
  }
  CHECK(context.statistics().launches == 0);
  CHECK(context.statistics().compiles + context.statistics().disk_hits == 0);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("scale");

TEST_CASE("scale: the default is 1 / sqrt(head_dim), and what is given is used") {
  for_each_family([](const Context& context, Problem& problem) {
    fill(problem, Input::normal);
    run(context, problem);
    Problem explicit_scale = problem;
    explicit_scale.shape.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(problem.shape.head_dim)));
    run(context, explicit_scale);
    check_same_bits(problem, explicit_scale);
    for (const float scale : {0.5F, -0.25F, 1e-30F}) {
      CAPTURE(scale);
      Problem other = problem;
      other.shape.scale = scale;
      run(context, other);
      check_against_reference(other);
    }
  });
}

TEST_CASE("scale: a negative one is the same as negative queries") {
  for_each_family([](const Context& context, Problem& problem) {
    fill(problem, Input::normal);
    problem.shape.scale = 0.125F;
    Problem negated = problem;
    for (std::uint16_t& bits : negated.q.storage())
      bits = bits == Tensor<std::uint16_t>::k_guard ? bits : bits ^ 0x8000;
    negated.shape.scale = -0.125F;
    run(context, problem);
    run(context, negated);
    check_same_bits(problem, negated);
  });
}

TEST_CASE("scale: 0 gives the mean of what is seen") {
  for_each_family([](const Context& context, Problem& problem) {
    fill(problem, Input::normal);
    problem.shape.scale = 0;
    run(context, problem);
    check_against_reference(problem);
    const Shape& shape = problem.shape;
    for (std::int64_t i = 0; shape.want_lse && i < shape.seq_q; ++i) {
      std::int64_t count = 0;
      for (std::int64_t j = 0; j < shape.seq_k; ++j)
        count += shape.sees(i, j) ? 1 : 0;
      CHECK(static_cast<double>(problem.log_sum(0, 0, i)) ==
            doctest::Approx(std::log(static_cast<double>(count))).epsilon(1e-6));
    }
  });
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("lse");

TEST_CASE("lse: O does not depend on whether it is wanted") {
  for_each_family([](const Context& context, Problem& problem) {
    if (problem.shape.mask == HK_MASK_CAUSAL_TOP_LEFT)
      return; // two masks are enough: each costs a kernel
    fill(problem, Input::deviation8);
    Problem without = problem;
    without.shape.want_lse = false;
    run(context, problem);
    run(context, without);
    check_against_reference(without); // and the lse buffer is untouched
    check_same_bits(problem, without);
  });
}

TEST_CASE("lse: any strides of batch and head") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    Shape shape = shape_with(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 129, 127);
    shape.batch = 2;
    const Sizes rows{shape.batch, shape.heads_q, 1, shape.seq_q};
    for (const Strides& strides :
         {Strides{shape.seq_q, 2 * shape.seq_q, 0}, Strides{10000, 131, 0}, Strides{1 << 20, 1 << 17, 0}}) {
      Problem problem(shape);
      problem.lse = Tensor<std::uint32_t>(rows, strides);
      fill(problem, Input::normal);
      run(context, problem);
      check_against_reference(problem);
    }
  }
}

TEST_SUITE_END();
