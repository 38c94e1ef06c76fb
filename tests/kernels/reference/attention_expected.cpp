#include "attention_expected.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hk::test {

namespace {

/// A row of a tensor, widened.
std::vector<float> row_of(const Problem& problem, const Tensor& tensor, int b, int h, int r) {
  std::vector<float> row(static_cast<std::size_t>(tensor.columns));
  for (int c = 0; c < tensor.columns; ++c)
    row[static_cast<std::size_t>(c)] = widen(problem.shape.element, tensor.at(b, h, r, c));
  return row;
}

std::vector<std::vector<float>> rows_of(const Problem& problem, const Tensor& tensor, int b, int h) {
  std::vector<std::vector<float>> rows;
  for (int r = 0; r < tensor.rows; ++r)
    rows.push_back(row_of(problem, tensor, b, h, r));
  return rows;
}

int visible_keys(const Shape& shape, int query) {
  switch (shape.mask) {
  case MaskKind::none:
    return shape.seq_k;
  case MaskKind::causal_bottom_right:
    return std::clamp(query + 1 + shape.seq_k - shape.seq_q, 0, shape.seq_k);
  case MaskKind::causal_top_left:
    return std::min(query + 1, shape.seq_k);
  }
  return 0;
}

using Rows = std::vector<std::vector<float>>;

struct RowResult {
  std::vector<double> o;
  double lse;
  double logit_magnitude;
};

RowResult exact_row(const Shape& shape, const std::vector<float>& q, const Rows& k, const Rows& v, int visible) {
  RowResult result = {std::vector<double>(static_cast<std::size_t>(shape.head_dim), 0.0),
                      -std::numeric_limits<double>::infinity(), 0.0};
  std::vector<double> logits(static_cast<std::size_t>(visible));
  double largest = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < visible; ++j) {
    double dot = 0.0, magnitude = 0.0;
    const std::vector<float>& key = k[static_cast<std::size_t>(j)];
    for (std::size_t c = 0; c < q.size(); ++c) {
      const double product = static_cast<double>(q[c]) * key[c];
      dot += product;
      magnitude += std::fabs(product);
    }
    logits[static_cast<std::size_t>(j)] = dot * static_cast<double>(shape.softmax_scale());
    result.logit_magnitude =
        std::max(result.logit_magnitude, magnitude * std::fabs(static_cast<double>(shape.softmax_scale())));
    largest = std::max(largest, logits[static_cast<std::size_t>(j)]);
  }
  double sum = 0.0;
  for (int j = 0; j < visible; ++j) {
    const double p = std::exp(logits[static_cast<std::size_t>(j)] - largest);
    sum += p;
    for (std::size_t c = 0; c < q.size(); ++c)
      result.o[c] += p * v[static_cast<std::size_t>(j)][c];
  }
  if (visible > 0) {
    for (double& value : result.o)
      value /= sum;
    result.lse = largest + std::log(sum);
  }
  return result;
}

std::vector<double> low_precision_row(const Shape& shape, const std::vector<float>& q, const Rows& k, const Rows& v,
                                      int visible) {
  const auto rounded = [&](float x) { return widen(shape.element, round_to(shape.element, x)); };
  std::vector<float> scores(static_cast<std::size_t>(visible));
  float largest = -std::numeric_limits<float>::infinity();
  for (int j = 0; j < visible; ++j) {
    float dot = 0.0f;
    for (std::size_t c = 0; c < q.size(); ++c)
      dot += q[c] * k[static_cast<std::size_t>(j)][c];
    scores[static_cast<std::size_t>(j)] = rounded(dot * shape.softmax_scale());
    largest = std::max(largest, scores[static_cast<std::size_t>(j)]);
  }
  float sum = 0.0f;
  for (float& score : scores) {
    score = std::exp(score - largest);
    sum += score;
  }
  std::vector<float> o(q.size(), 0.0f);
  for (int j = 0; j < visible; ++j) {
    const float p = rounded(scores[static_cast<std::size_t>(j)] / sum);
    for (std::size_t c = 0; c < q.size(); ++c)
      o[c] += p * v[static_cast<std::size_t>(j)][c];
  }
  std::vector<double> result(q.size());
  for (std::size_t c = 0; c < q.size(); ++c)
    result[c] = rounded(o[c]);
  return result;
}

} // namespace

Expected expected_attention(const Problem& problem) {
  const Shape& shape = problem.shape;
  Expected expected;
  for (int b = 0; b < shape.batch; ++b) {
    for (int h = 0; h < shape.heads_q; ++h) {
      const int kv_head = h / (shape.heads_q / shape.heads_kv);
      const Rows k = rows_of(problem, problem.k, b, kv_head);
      const Rows v = rows_of(problem, problem.v, b, kv_head);
      for (int i = 0; i < shape.seq_q; ++i) {
        const std::vector<float> q = row_of(problem, problem.q, b, h, i);
        const int visible = visible_keys(shape, i);
        const RowResult exact = exact_row(shape, q, k, v, visible);
        const std::vector<double> low = low_precision_row(shape, q, k, v, visible);
        for (std::size_t c = 0; c < q.size(); ++c) {
          expected.low_precision_error = std::max(expected.low_precision_error, std::fabs(low[c] - exact.o[c]));
          expected.scale = std::max(expected.scale, std::fabs(exact.o[c]));
        }
        expected.o.insert(expected.o.end(), exact.o.begin(), exact.o.end());
        expected.lse.push_back(exact.lse);
        expected.logit_magnitude.push_back(exact.logit_magnitude);
      }
    }
  }
  return expected;
}

} // namespace hk::test
