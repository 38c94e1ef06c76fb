// Public bug reports about large logits, stale memory, layouts and head maps. Each test names its row.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include "report_case.h"

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("reports_numbers");

TEST_CASE("B13: logits far below a finite stand-in for minus infinity") {
  const Context context = open_context();
  for (const double factor : {1.0, 2.0}) { // twice: past -5e4
    Shape shape = report_shape(128, HK_MASK_NONE, 1, 2);
    shape.scale = static_cast<float>(factor / std::sqrt(128.0));
    Problem problem(shape);
    problem.q.fill(narrow(shape.dtype, 64));
    problem.k.fill(narrow(shape.dtype, -64));
    problem.v.fill(narrow(shape.dtype, 1));
    run(context, problem);
    for (std::int64_t c = 0; c < 128; ++c)
      CHECK(problem.output(0, 0, 0, c) == 1.0);
    const double expected = factor == 1.0 ? -46340.2569 : -2 * 46340.95001 + std::log(2.0);
    CHECK(static_cast<double>(problem.log_sum(0, 0, 0)) == doctest::Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("B16: NaN in what the mask hides changes no bit") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    Problem clean(report_shape(head_dim, HK_MASK_CAUSAL_TOP_LEFT, 7, 127));
    fill(clean, Input::normal);
    Problem damaged = clean;
    for (std::int64_t j = 7; j < 127; ++j) {
      for (std::int64_t c = 0; c < head_dim; ++c)
        damaged.k.at(0, 0, j, c) = damaged.v.at(0, 0, j, c) = k_nan_bits;
    }
    run(context, clean);
    run(context, damaged);
    check_same_bits(clean, damaged);
  }
}

TEST_CASE("B19, B20: NaN behind the last key and around every row of the outputs") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const std::int64_t length : {1, 7, 33, 65, 127, 129}) {
      for (const bool keys : {false, true}) {
        Problem problem(report_shape(head_dim, HK_MASK_NONE, keys ? 65 : length, keys ? length : 65));
        fill(problem, Input::normal);
        run(context, problem); // checks the guard bands, which are NaN
        check_against_reference(problem);
      }
    }
  }
}

TEST_CASE("C1: padding rows behind a short sequence hold NaN") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const std::int64_t length : {1, 3}) {
      Shape shape = report_shape(head_dim, HK_MASK_NONE, 3, length);
      shape.batch = 2;
      Problem problem(shape);
      // Room for 3 rows, or a tile of 64; what is not there is NaN.
      for (const std::int64_t room : {3, 64}) {
        for (Tensor<std::uint16_t>* tensor : {&problem.k, &problem.v})
          *tensor = Tensor<std::uint16_t>(shape.key_sizes(), {room * head_dim, room * head_dim, head_dim});
        fill(problem, Input::normal);
        run(context, problem);
        check_against_reference(problem);
      }
    }
  }
}

TEST_CASE("C7, I7: fifty runs give the same bits") {
  const Context context = open_context();
  Problem first(report_shape(64, HK_MASK_NONE, 129, 127, {4, 1}));
  fill(first, Input::normal);
  run(context, first);
  for (int n = 1; n < 50; ++n) {
    Problem again = first;
    run(context, again);
    check_same_bits(first, again);
  }
}

TEST_CASE("D1: huge equal inputs") {
  const Context context = open_context();
  for (const std::int64_t length : {1, 5}) {
    Shape shape = report_shape(64, HK_MASK_NONE, length, length);
    shape.dtype = HK_DTYPE_BFLOAT16;
    shape.scale = 0.125F;
    Problem problem(shape);
    for (Tensor<std::uint16_t>* tensor : {&problem.q, &problem.k, &problem.v})
      tensor->fill(narrow(shape.dtype, 133120));
    run(context, problem);
    for (std::int64_t i = 0; i < length; ++i) {
      for (std::int64_t c = 0; c < 64; ++c)
        CHECK(problem.output(0, 0, i, c) == 133120);
      CHECK(static_cast<double>(problem.log_sum(0, 0, i)) == doctest::Approx(1.41767475e11).epsilon(1e-6));
    }
  }
}

TEST_CASE("D7, E10, K13: lengths around tiles, and one to ten tiles of keys") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const std::int64_t length : {1, 9, 12, 63, 65}) {
      Problem problem(report_shape(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, length, length));
      fill(problem, Input::normal);
      run(context, problem);
      check_against_reference(problem);
    }
    for (std::int64_t tiles = 1; tiles <= 10; ++tiles) {
      Problem problem(report_shape(head_dim, HK_MASK_NONE, 65, 32 * tiles));
      fill(problem, Input::normal);
      run(context, problem);
      check_against_reference(problem);
    }
  }
}

TEST_CASE("D8, H4, H13, H16: other head dimensions are UNSUPPORTED and the sentence names them") {
  const Context context = open_context();
  for (const std::int64_t head_dim : {24, 33, 40, 65, 72, 80, 96, 112, 136, 160, 192, 257, 512}) {
    CAPTURE(head_dim);
    Problem problem(report_shape(64, HK_MASK_NONE, 7, 7));
    problem.shape.head_dim = head_dim;
    const hk_attention_args args = problem.args();
    CHECK(hk_attention_supported(context.get(), &args) == HK_STATUS_UNSUPPORTED);
    CHECK(std::string(hk_last_error_message()).find("head_dim is " + std::to_string(head_dim)) != std::string::npos);
  }
}

TEST_CASE("E1, E2: v in another layout than q and k") {
  const Context context = open_context();
  Problem dense(report_shape(128, HK_MASK_NONE, 62, 62, {16, 16}));
  fill(dense, Input::normal);
  Arrangement arrangement;
  arrangement.v = Layout::batch_row_head;
  Problem other(dense.shape, arrangement);
  fill(other, Input::normal); // the same numbers: filled by index
  run(context, dense);
  run(context, other);
  check_same_bits(dense, other);
}

TEST_CASE("E5, H1: query head h reads key head h / ratio, whatever the ratio") {
  const Context context = open_context();
  for (const std::int64_t ratio : {1, 3, 4, 5, 6, 7, 12}) {
    Problem problem(report_shape(128, HK_MASK_CAUSAL_BOTTOM_RIGHT, 1, 7, {2 * ratio, 2}));
    fill(problem, Input::head_id_v);
    run(context, problem);
    for (std::int64_t h = 0; h < 2 * ratio; ++h) {
      const std::int64_t key_head = h / ratio;
      CHECK(problem.output(0, h, 0, 0) == static_cast<double>(key_head + 1));
    }
  }
}

TEST_CASE("E7: every pointer one element further") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    Arrangement arrangement;
    arrangement.surround.offset = 1;
    Problem problem(report_shape(head_dim, HK_MASK_NONE, 7, 65), arrangement);
    fill(problem, Input::normal);
    run(context, problem);
    check_against_reference(problem);
  }
}

TEST_CASE("G1, G2: more batches, and more heads of all batches, than a 16-bit grid dimension counts") {
  const Context context = open_context();
  for (const auto& [batch, heads] : {std::pair{65537, 1}, {2, 32768}}) {
    Shape shape = report_shape(64, HK_MASK_NONE, 1, 1, {heads, heads});
    shape.batch = batch;
    Problem problem(shape);
    problem.q.fill(0);
    problem.k.fill(0);
    for (std::int64_t b = 0; b < shape.batch; ++b) {
      for (std::int64_t h = 0; h < shape.heads_kv; ++h) {
        for (std::int64_t c = 0; c < 64; ++c)
          // A prime: an index that wraps at a power of two shows.
          problem.v.at(b, h, 0, c) = narrow(shape.dtype, static_cast<double>((b * shape.heads_kv + h) % 251));
      }
    }
    run(context, problem);
    CHECK(problem.o.dense() == problem.v.dense());
  }
}

TEST_CASE("H5: both halves of the head dimension count") {
  const Context context = open_context();
  Problem problem(report_shape(128, HK_MASK_NONE, 7, 65));
  fill(problem, Input::deviation8);
  for (std::int64_t j = 0; j < 65; ++j) {
    for (std::int64_t c = 0; c < 64; ++c)
      problem.k.at(0, 0, j, c) = 0;
  }
  run(context, problem);
  check_against_reference(problem);
}

TEST_CASE("F14, H19: the last of 16385 and 65537 keys is seen by few queries") {
  const Context context = open_context();
  for (const std::int64_t seq_k : {16385, 65537}) {
    for (const std::int64_t seq_q : {1, 4}) {
      Problem problem(report_shape(64, HK_MASK_CAUSAL_BOTTOM_RIGHT, seq_q, seq_k));
      fill(problem, Input::zero_qk);
      problem.q.fill(narrow(problem.shape.dtype, 1));
      problem.v.fill(0);
      for (std::int64_t c = 0; c < 64; ++c) {
        problem.k.at(0, 0, seq_k - 1, c) = narrow(problem.shape.dtype, 16); // a logit of 128
        problem.v.at(0, 0, seq_k - 1, c) = narrow(problem.shape.dtype, constant_value(c));
      }
      run(context, problem);
      for (std::int64_t c = 0; c < 64; ++c)
        CHECK(problem.output(0, 0, seq_q - 1, c) == constant_value(c));
      CHECK(problem.log_sum(0, 0, seq_q - 1) == doctest::Approx(128.0).epsilon(1e-6));
    }
  }
}

TEST_SUITE_END();
