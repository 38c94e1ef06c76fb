// Chosen rows: the same numbers as the whole reference, and a comparison that finds every kind of mistake.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "ops/attention/reference.h"
#include "ops/attention/sampled_reference.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;

namespace {

constexpr std::int64_t k_batch = 2, k_heads_q = 4, k_heads_kv = 2, k_seq_q = 21, k_seq_k = 13, k_head_dim = 64;

// Causal bottom-right with more queries than keys: the first rows see nothing.
struct Sample {
  Sample() {
    std::mt19937_64 random(1);
    std::normal_distribution<float> normal;
    const auto fill = [&](std::vector<std::uint16_t>& tensor, std::int64_t heads, std::int64_t rows) {
      for (std::int64_t i = 0; i < k_batch * heads * rows * k_head_dim; ++i)
        tensor.push_back(float_to_bfloat16(normal(random)));
    };
    fill(q, k_heads_q, k_seq_q);
    fill(k, k_heads_kv, k_seq_k);
    fill(v, k_heads_kv, k_seq_k);
    problem.mask = AttentionMask::causal_bottom_right;
    problem.scale = 0.125F;
    problem.batch = k_batch;
    problem.heads_q = k_heads_q;
    problem.heads_kv = k_heads_kv;
    problem.seq_q = k_seq_q;
    problem.seq_k = k_seq_k;
    problem.head_dim = k_head_dim;
    problem.q = {q.data(), k_heads_q * k_seq_q * k_head_dim, k_seq_q * k_head_dim, k_head_dim};
    problem.k = {k.data(), k_heads_kv * k_seq_k * k_head_dim, k_seq_k * k_head_dim, k_head_dim};
    problem.v = {v.data(), k_heads_kv * k_seq_k * k_head_dim, k_seq_k * k_head_dim, k_head_dim};
  }

  std::vector<std::uint16_t> q, k, v;
  AttentionProblem problem;
  std::vector<SampledRow> rows = {{0, 0, 0}, {0, 1, 7}, {0, 1, 8}, {0, 3, 20}, {1, 2, 9}, {1, 0, 20}};
};

// The numbers of the reference, rounded: what a perfect kernel would write.
SampledOutput rounded(const SampledReference& reference) {
  SampledOutput output;
  for (const double value : reference.o)
    output.o.push_back(float_to_bfloat16(static_cast<float>(value)));
  for (const double value : reference.lse)
    output.lse.push_back(static_cast<float>(value));
  return output;
}

} // namespace

TEST_CASE("ops.attention.sampled: rows equal those of the whole reference bit by bit") {
  Sample sample;
  const auto all_rows = static_cast<std::size_t>(k_batch * k_heads_q * k_seq_q);
  std::vector<double> o(all_rows * k_head_dim);
  std::vector<double> low(o.size());
  std::vector<double> lse(all_rows);
  REQUIRE(attention_reference(sample.problem, ReferencePrecision::fp64, o.data(), lse.data()).ok());
  REQUIRE(attention_reference(sample.problem, ReferencePrecision::input_type, low.data(), nullptr).ok());
  const SampledReference sampled = sampled_attention_reference(sample.problem, sample.rows);
  double error = 0;
  double largest = 0;
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    const SampledRow& row = sample.rows[i];
    const auto at = static_cast<std::size_t>((row.batch * k_heads_q + row.head) * k_seq_q + row.row);
    CHECK(sampled.lse[i] == lse[at]);
    bool same = true;
    for (std::size_t c = 0; c < k_head_dim; ++c) {
      same = same && sampled.o[i * k_head_dim + c] == o[at * k_head_dim + c];
      error = std::max(error, std::abs(low[at * k_head_dim + c] - o[at * k_head_dim + c]));
      largest = std::max(largest, std::abs(o[at * k_head_dim + c]));
    }
    CHECK(same);
  }
  // Ulp of bfloat16 at the largest output: 8 significant bits.
  const double ulp = std::ldexp(1.0, std::ilogb(largest) - 7);
  CHECK(sampled.bound == doctest::Approx(2 * error + 2 * ulp).epsilon(1e-12));
  CHECK(sampled.bound < 0.1);
}

TEST_CASE("ops.attention.sampled: a right output passes, each wrong one is named") {
  Sample sample;
  const SampledReference reference = sampled_attention_reference(sample.problem, sample.rows);
  const SampledOutput right = rounded(reference);
  const auto compare = [&](const SampledOutput& output) {
    return compare_sampled_rows(sample.problem, sample.rows, reference, output);
  };
  CHECK(compare(right).ok());

  SampledOutput output = right;
  output.o[3 * k_head_dim + 5] = float_to_bfloat16(static_cast<float>(reference.o[3 * k_head_dim + 5] + 0.5));
  CHECK(compare(output).message.find("o of batch 0, head 3, row 20, column 5") == 0);
  output = right;
  output.o[4 * k_head_dim] = 0x7fff; // NaN
  CHECK(compare(output).message.find("o of batch 1, head 2, row 9, column 0 is nan") == 0);
  output = right;
  output.o[0] = 0x8000; // -0 where nothing is seen
  CHECK(compare(output).message.find("o of batch 0, head 0, row 0, column 0") == 0);
  output = right;
  output.lse[2] += 0.01F;
  CHECK(compare(output).message.find("lse of batch 0, head 1, row 8") == 0);
  output = right;
  output.lse[0] = 0; // instead of -infinity
  CHECK(compare(output).message.find("lse of batch 0, head 0, row 0") == 0);
  output = right;
  output.lse[5] = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(compare(output).ok());
  output = right;
  output.lse.clear(); // not wanted
  CHECK(compare(output).ok());
}

TEST_CASE("ops.element: the spacing of numbers") {
  CHECK(element_spacing(ElementType::bfloat16, 1.0) == 0x1p-7);
  CHECK(element_spacing(ElementType::bfloat16, 1.99) == 0x1p-7);
  CHECK(element_spacing(ElementType::float16, 2.0) == 0x1p-9);
  CHECK(element_spacing(ElementType::float16, 0.0) == 0x1p-24); // the smallest subnormal
  CHECK(element_spacing(ElementType::bfloat16, 1e-45) == 0x1p-133);
}

TEST_SUITE_END();
