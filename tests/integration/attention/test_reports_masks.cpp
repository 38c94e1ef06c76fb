// Public bug reports about causal alignment and rows or problems that see nothing. Each test names its row.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "report_case.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr float k_minus_infinity = -std::numeric_limits<float>::infinity();

// Rows below `empty` are zero with LSE -infinity, the others finite.
void check_empty_rows(const Problem& problem, std::int64_t empty) {
  for (std::int64_t i = 0; i < problem.shape.seq_q; ++i) {
    CAPTURE(i);
    CHECK((problem.log_sum(0, 0, i) == k_minus_infinity) == (i < empty));
    CHECK(std::isfinite(problem.output(0, 0, i, 0)));
    for (std::int64_t c = 0; i < empty && c < problem.shape.head_dim; ++c)
      REQUIRE(problem.o.at(0, 0, i, c) == 0);
  }
}

} // namespace

TEST_SUITE_BEGIN("reports_masks");

TEST_CASE("A1: decode sees every key under bottom-right, only the first under top-left") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    const Problem all = run_uniform(context, report_shape(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 1, 5));
    const Problem first = run_uniform(context, report_shape(head_dim, HK_MASK_CAUSAL_TOP_LEFT, 1, 5));
    CHECK(all.output(0, 0, 0, 0) == 2.0);
    CHECK(all.output(0, 0, 0, head_dim - 1) == 2.0);
    CHECK(first.output(0, 0, 0, 0) == 0.0);
    CHECK(first.log_sum(0, 0, 0) == doctest::Approx(0));
  }
}

TEST_CASE("A2: more queries than keys leave rows empty under bottom-right and none under top-left") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : {HK_MASK_CAUSAL_BOTTOM_RIGHT, HK_MASK_CAUSAL_TOP_LEFT}) {
      Problem problem(report_shape(head_dim, mask, 20, 10));
      fill(problem, Input::normal);
      run(context, problem);
      check_empty_rows(problem, mask == HK_MASK_CAUSAL_BOTTOM_RIGHT ? 10 : 0);
      check_against_reference(problem);
    }
  }
}

TEST_CASE("A10: rows of a short block of queries see 126, 127 and 128 keys") {
  const Context context = open_context();
  const Problem problem = run_uniform(context, report_shape(128, HK_MASK_CAUSAL_BOTTOM_RIGHT, 3, 128));
  for (std::int64_t i = 0; i < 3; ++i) {
    CHECK(problem.output(0, 0, i, 0) == 62.5 + 0.5 * static_cast<double>(i));
    CHECK(problem.log_sum(0, 0, i) == doctest::Approx(std::log(126.0 + static_cast<double>(i))).epsilon(1e-6));
  }
}

TEST_CASE("A11: fewer queries than keys see 5, 6 and 7 keys") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    const Problem problem = run_uniform(context, report_shape(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 3, 7));
    for (std::int64_t i = 0; i < 3; ++i) {
      CHECK(problem.output(0, 0, i, 0) == 2.0 + 0.5 * static_cast<double>(i));
      CHECK(problem.log_sum(0, 0, i) == doctest::Approx(std::log(5.0 + static_cast<double>(i))).epsilon(1e-6));
    }
  }
}

TEST_CASE("A14: 130 queries on 64 keys have 66 empty rows") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    Problem problem(report_shape(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 130, 64));
    fill(problem, Input::normal);
    run(context, problem);
    check_empty_rows(problem, 66);
    check_against_reference(problem);
  }
}

TEST_CASE("B1: one key gives its value exactly") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    for (const hk_mask mask : k_masks) {
      Problem problem(report_shape(head_dim, mask, 1, 1));
      fill(problem, Input::normal);
      fill_normal(problem.q, problem.shape.dtype, 3, 5);
      fill_normal(problem.k, problem.shape.dtype, 3, 6);
      run(context, problem);
      CHECK(problem.o.dense() == problem.v.dense());
    }
  }
}

TEST_CASE("B2: of 76, 34 and 146 queries on one key only the last sees it") {
  const Context context = open_context();
  for (const std::int64_t seq_q : {76, 34, 146}) {
    Problem problem(report_shape(64, HK_MASK_CAUSAL_BOTTOM_RIGHT, seq_q, 1));
    fill(problem, Input::normal);
    run(context, problem);
    check_empty_rows(problem, seq_q - 1);
    for (std::int64_t c = 0; c < 64; ++c)
      CHECK(problem.o.at(0, 0, seq_q - 1, c) == problem.v.at(0, 0, 0, c));
  }
}

TEST_CASE("B4: 150 queries on 100 keys have 50 empty rows") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    Problem problem(report_shape(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 150, 100));
    fill(problem, Input::normal);
    run(context, problem);
    check_empty_rows(problem, 50);
    check_against_reference(problem);
  }
}

TEST_CASE("B7: sizes of zero: zeros, nothing at all, or a status, never a signal") {
  const Context context = open_context();
  const Problem no_keys = run_uniform(context, report_shape(64, HK_MASK_NONE, 3, 0));
  check_empty_rows(no_keys, 3);
  Problem problem(report_shape(64, HK_MASK_NONE, 3, 5));
  fill(problem, Input::normal);
  DeviceProblem on_device(context, problem);
  hk_attention_args args = on_device.args();
  args.batch = 0;
  CHECK(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_SUCCESS);
  args = on_device.args();
  args.seq_q = 0;
  CHECK(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_SUCCESS);
  for (const bool query_heads : {false, true}) {
    args = on_device.args();
    (query_heads ? args.heads_q : args.heads_kv) = 0;
    CHECK(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_INVALID_ARGUMENT);
    CHECK(std::string(hk_last_error_message()).find(query_heads ? "heads_q" : "heads_kv") != std::string::npos);
  }
  on_device.fetch();
  CHECK(problem.o.at(0, 0, 0, 0) == k_nan_bits);
}

// Merges parts of the keys as ring attention does: weights exp(LSE - total).
TEST_CASE("B10, J4: merging parts by their LSE, an empty one among them, gives the whole") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    Problem whole(report_shape(head_dim, HK_MASK_NONE, 7, 300));
    fill(whole, Input::normal);
    run(context, whole);
    constexpr std::array<std::int64_t, 4> bounds = {0, 65, 65, 300};
    std::vector<Problem> parts;
    for (std::size_t n = 0; n + 1 < bounds.size(); ++n) {
      Shape shape = whole.shape;
      shape.seq_k = bounds[n + 1] - bounds[n];
      Problem part(shape);
      fill(part, Input::normal);
      part.q = whole.q;
      for (std::int64_t j = 0; j < shape.seq_k; ++j) {
        for (std::int64_t c = 0; c < head_dim; ++c) {
          part.k.at(0, 0, j, c) = whole.k.at(0, 0, bounds[n] + j, c);
          part.v.at(0, 0, j, c) = whole.v.at(0, 0, bounds[n] + j, c);
        }
      }
      run(context, part);
      parts.push_back(std::move(part));
    }
    CHECK(parts[1].log_sum(0, 0, 0) == k_minus_infinity);
    for (std::int64_t i = 0; i < 7; ++i) {
      double sum = 0;
      for (const Problem& part : parts)
        sum += std::exp(static_cast<double>(part.log_sum(0, 0, i)));
      CHECK(static_cast<double>(whole.log_sum(0, 0, i)) == doctest::Approx(std::log(sum)).epsilon(1e-6));
      for (std::int64_t c = 0; c < head_dim; ++c) {
        double merged = 0;
        for (const Problem& part : parts)
          merged += std::exp(static_cast<double>(part.log_sum(0, 0, i))) / sum * part.output(0, 0, i, c);
        // Each of the numbers was rounded to the element type once or twice.
        CHECK(std::abs(merged - whole.output(0, 0, i, c)) <= 4 * ulp_at(whole.shape.dtype, 1));
      }
    }
  }
}

TEST_CASE("J1: LSE is a natural logarithm") {
  const Context context = open_context();
  for (const std::int64_t head_dim : k_head_dims) {
    // The unit matrix of 16 rows, zeros behind: every row has one score of 1/4 and fifteen of 0.
    Shape shape = report_shape(head_dim, HK_MASK_NONE, 16, 16);
    shape.scale = 0.25F;
    Problem problem(shape);
    for (Tensor<std::uint16_t>* tensor : {&problem.q, &problem.k, &problem.v}) {
      tensor->fill(0);
      for (std::int64_t i = 0; i < 16; ++i)
        tensor->at(0, 0, i, i) = narrow(shape.dtype, 1);
    }
    run(context, problem);
    for (std::int64_t i = 0; i < 16; ++i)
      CHECK(problem.log_sum(0, 0, i) == doctest::Approx(2.7901846).epsilon(1e-6));
  }
}

TEST_SUITE_END();
