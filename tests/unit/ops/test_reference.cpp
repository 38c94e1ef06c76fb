// The reference against numbers worked out by hand or by closed formulas.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ops/attention/reference.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;

namespace {

constexpr double k_minus_infinity = -std::numeric_limits<double>::infinity();

// One batch with dense tensors, filled by functions of (head, row, column).
struct Case {
  std::int64_t heads_q = 1, heads_kv = 1, seq_q = 1, seq_k = 1, head_dim = 16;
  AttentionMask mask = AttentionMask::none;
  ElementType element = ElementType::bfloat16;
  float scale = 1;
  std::vector<std::uint16_t> q, k, v;
  std::vector<double> o, lse;

  template <typename Value>
  std::vector<std::uint16_t> filled(std::int64_t heads, std::int64_t rows, Value value) const {
    std::vector<std::uint16_t> tensor;
    for (std::int64_t h = 0; h < heads; ++h)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < head_dim; ++c)
          tensor.push_back(float_to_element(element, static_cast<float>(value(h, r, c))));
    return tensor;
  }

  template <typename Q, typename K, typename V>
  void fill(Q q_value, K k_value, V v_value) {
    q = filled(heads_q, seq_q, q_value);
    k = filled(heads_kv, seq_k, k_value);
    v = filled(heads_kv, seq_k, v_value);
  }

  void run(ReferencePrecision precision = ReferencePrecision::fp64) {
    AttentionProblem problem;
    problem.element = element;
    problem.mask = mask;
    problem.scale = scale;
    problem.batch = 1;
    problem.heads_q = heads_q;
    problem.heads_kv = heads_kv;
    problem.seq_q = seq_q;
    problem.seq_k = seq_k;
    problem.head_dim = head_dim;
    problem.q = {q.data(), 0, seq_q * head_dim, head_dim};
    problem.k = {k.data(), 0, seq_k * head_dim, head_dim};
    problem.v = {v.data(), 0, seq_k * head_dim, head_dim};
    o.assign(static_cast<std::size_t>(heads_q * seq_q * head_dim), 777);
    lse.assign(static_cast<std::size_t>(heads_q * seq_q), 777);
    REQUIRE(attention_reference(problem, precision, o.data(), lse.data()).ok());
  }

  [[nodiscard]] double first_of_row(std::int64_t head, std::int64_t row) const {
    return o[static_cast<std::size_t>((head * seq_q + row) * head_dim)];
  }
};

double zero(std::int64_t, std::int64_t, std::int64_t) {
  return 0;
}
double row_number(std::int64_t, std::int64_t row, std::int64_t) {
  return static_cast<double>(row);
}

} // namespace

TEST_CASE("ops.attention.reference: equal scores average the visible values, LSE counts them") {
  Case c;
  c.fill(zero, zero, row_number);
  // One query, five keys, bottom-right: sees all, mean of 0..4; top-left: sees key 0.
  c.seq_k = 5;
  c.fill(zero, zero, row_number);
  c.mask = AttentionMask::causal_bottom_right;
  c.run();
  CHECK(c.first_of_row(0, 0) == doctest::Approx(2.0).epsilon(1e-14));
  CHECK(c.lse[0] == doctest::Approx(std::log(5.0)).epsilon(1e-14));
  c.mask = AttentionMask::causal_top_left;
  c.run();
  CHECK(c.first_of_row(0, 0) == 0.0);
  CHECK(c.lse[0] == 0.0);
}

TEST_CASE("ops.attention.reference: three queries over 128 keys, bottom-right") {
  Case c;
  c.seq_q = 3;
  c.seq_k = 128;
  c.mask = AttentionMask::causal_bottom_right;
  c.fill(zero, zero, row_number);
  c.run();
  CHECK(c.first_of_row(0, 0) == doctest::Approx(62.5).epsilon(1e-14));
  CHECK(c.first_of_row(0, 1) == doctest::Approx(63.0).epsilon(1e-14));
  CHECK(c.first_of_row(0, 2) == doctest::Approx(63.5).epsilon(1e-14));
}

TEST_CASE("ops.attention.reference: rows that see nothing are 0 with LSE -infinity") {
  Case c;
  c.seq_q = 20;
  c.seq_k = 10;
  c.mask = AttentionMask::causal_bottom_right;
  c.fill(zero, zero, row_number);
  for (const auto precision : {ReferencePrecision::fp64, ReferencePrecision::input_type}) {
    c.run(precision);
    for (std::int64_t row = 0; row < 10; ++row) {
      CHECK(c.first_of_row(0, row) == 0.0);
      CHECK(c.lse[static_cast<std::size_t>(row)] == k_minus_infinity);
    }
    for (std::int64_t row = 10; row < 20; ++row)
      CHECK(std::isfinite(c.lse[static_cast<std::size_t>(row)]));
  }
  c.seq_k = 0;
  c.fill(zero, zero, row_number);
  c.run();
  CHECK(c.first_of_row(0, 19) == 0.0);
  CHECK(c.lse[19] == k_minus_infinity);
}

TEST_CASE("ops.attention.reference: the logarithm is natural") {
  // q = k = v = identity of 16, scale 1/4: LSE = ln(15 + e^(1/4)).
  Case c;
  c.seq_q = c.seq_k = 16;
  c.scale = 0.25F;
  const auto identity = [](std::int64_t, std::int64_t row, std::int64_t column) { return row == column ? 1.0 : 0.0; };
  c.fill(identity, identity, identity);
  c.run();
  for (const double value : c.lse)
    CHECK(value == doctest::Approx(2.7901845).epsilon(1e-7));
}

TEST_CASE("ops.attention.reference: logits far below any finite stand-in for minus infinity") {
  // q = 64, k = -64 in 128 columns, scale 1/sqrt(128): every logit is -46340.95, LSE = that + ln 2.
  Case c;
  c.head_dim = 128;
  c.seq_k = 2;
  c.scale = static_cast<float>(1 / std::sqrt(128.0));
  c.fill([](auto...) { return 64.0; }, [](auto...) { return -64.0; }, [](auto...) { return 1.0; });
  c.run();
  CHECK(c.first_of_row(0, 0) == doctest::Approx(1.0).epsilon(1e-14));
  CHECK(c.lse[0] == doctest::Approx(-46340.2569).epsilon(1e-7));
}

TEST_CASE("ops.attention.reference: query head h reads key head h / ratio, whatever the ratio") {
  for (const std::int64_t ratio : {1, 3, 5, 6, 7, 12}) {
    Case c;
    c.heads_kv = 3;
    c.heads_q = 3 * ratio;
    c.seq_q = 2;
    c.seq_k = 4;
    c.fill(zero, zero, [](std::int64_t head, std::int64_t, std::int64_t) { return static_cast<double>(head); });
    c.run();
    for (std::int64_t head = 0; head < c.heads_q; ++head)
      CHECK(c.first_of_row(head, 1) == doctest::Approx(static_cast<double>(head / ratio)).epsilon(1e-14));
  }
}

TEST_CASE("ops.attention.reference: NaN where nobody looks stays there, NaN in a visible key spreads") {
  Case c;
  c.seq_q = 4;
  c.seq_k = 8;
  c.mask = AttentionMask::causal_top_left;
  const auto nan_from = [](std::int64_t first) {
    return [first](std::int64_t, std::int64_t row, std::int64_t) { return row >= first ? std::nan("") : 1.0; };
  };
  for (const auto precision : {ReferencePrecision::fp64, ReferencePrecision::input_type}) {
    c.fill(zero, nan_from(4), nan_from(4));
    c.run(precision);
    for (const double value : c.o)
      CHECK(value == doctest::Approx(1.0).epsilon(0.01));
    c.fill(zero, nan_from(2), [](auto...) { return 1.0; });
    c.run(precision);
    CHECK(c.first_of_row(0, 1) == doctest::Approx(1.0).epsilon(0.01));
    CHECK(std::isnan(c.first_of_row(0, 2)));
  }
}

TEST_CASE("ops.attention.reference: agrees with softmax written out naively") {
  Case c;
  c.heads_q = 4;
  c.heads_kv = 2;
  c.seq_q = 19;
  c.seq_k = 37;
  c.head_dim = 24;
  c.scale = 0.7F;
  c.mask = AttentionMask::causal_bottom_right;
  c.element = ElementType::float16;
  std::mt19937 random(3); // NOLINT: a fixed seed is the point
  std::normal_distribution<double> normal;
  const auto any = [&](auto...) { return normal(random); };
  c.fill(any, any, any);
  c.run();
  const auto at = [&](const std::vector<std::uint16_t>& tensor, std::int64_t rows, std::int64_t h, std::int64_t r,
                      std::int64_t column) {
    return static_cast<double>(
        element_to_float(c.element, tensor[static_cast<std::size_t>((h * rows + r) * c.head_dim + column)]));
  };
  for (std::int64_t h = 0; h < c.heads_q; ++h)
    for (std::int64_t i = 0; i < c.seq_q; ++i) {
      double denominator = 0;
      std::vector<double> numerator(static_cast<std::size_t>(c.head_dim));
      for (std::int64_t j = 0; j < c.seq_k && j <= i + c.seq_k - c.seq_q; ++j) {
        double score = 0;
        for (std::int64_t d = 0; d < c.head_dim; ++d)
          score += at(c.q, c.seq_q, h, i, d) * at(c.k, c.seq_k, h / 2, j, d);
        const double weight = std::exp(score * static_cast<double>(c.scale));
        denominator += weight;
        for (std::int64_t d = 0; d < c.head_dim; ++d)
          numerator[static_cast<std::size_t>(d)] += weight * at(c.v, c.seq_k, h / 2, j, d);
      }
      const auto row = static_cast<std::size_t>(h * c.seq_q + i);
      CHECK(c.lse[row] == doctest::Approx(std::log(denominator)).epsilon(1e-12));
      for (std::size_t d = 0; d < numerator.size(); ++d)
        CHECK(c.o[row * numerator.size() + d] == doctest::Approx(numerator[d] / denominator).epsilon(1e-12));
    }
}

TEST_CASE("ops.attention.reference: the input-type form rounds probabilities and output to the element") {
  // Two keys with probabilities 1/(1 + e) and e/(1 + e), values 0 and 1: the output is the rounded probability.
  Case c;
  c.head_dim = 16;
  c.seq_k = 2;
  c.fill([](std::int64_t, std::int64_t, std::int64_t column) { return column == 0 ? 1.0 : 0.0; }, row_number,
         row_number);
  c.run(ReferencePrecision::input_type);
  const double exact = std::exp(1.0) / (1 + std::exp(1.0));
  CHECK(c.first_of_row(0, 0) == static_cast<double>(bfloat16_to_float(float_to_bfloat16(static_cast<float>(exact)))));
  CHECK(c.first_of_row(0, 0) != exact);
  // A score of 257 is not a bfloat16: it is rounded to 256 before the softmax, which LSE of a single key shows.
  Case single;
  single.head_dim = 2;
  single.fill([](auto...) { return 1.0; },
              [](std::int64_t, std::int64_t, std::int64_t column) { return column == 0 ? 256.0 : 1.0; }, zero);
  single.run(ReferencePrecision::input_type);
  CHECK(single.lse[0] == 256.0);
  single.run();
  CHECK(single.lse[0] == 257.0);
}

TEST_SUITE_END();
