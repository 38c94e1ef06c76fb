#include "naive_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hk::test {
namespace {

// Round: what happens to scores, probabilities and outputs.
template <typename Real, typename Round>
class Definition {
 public:
  Definition(const Problem& problem, Round round) : m_problem(problem), m_shape(problem.shape), m_round(round) {}

  ReferenceResult compute() {
    for (std::int64_t b = 0; b < m_shape.batch; ++b) {
      for (std::int64_t h = 0; h < m_shape.heads_q; ++h) {
        for (std::int64_t i = 0; i < m_shape.seq_q; ++i)
          compute_row(b, h, i);
      }
    }
    return std::move(m_result);
  }

 private:
  void compute_row(std::int64_t b, std::int64_t h, std::int64_t i) {
    const std::int64_t kv_head = h / (m_shape.heads_q / m_shape.heads_kv);
    std::vector<std::int64_t> keys;
    for (std::int64_t j = 0; j < m_shape.seq_k; ++j) {
      if (m_shape.sees(i, j))
        keys.push_back(j);
    }
    std::vector<Real> weights;
    Real largest = -std::numeric_limits<Real>::infinity();
    for (const std::int64_t j : keys) {
      Real dot = 0;
      for (std::int64_t c = 0; c < m_shape.head_dim; ++c)
        dot += input(m_problem.q, b, h, i, c) * input(m_problem.k, b, kv_head, j, c);
      weights.push_back(m_round(dot * scale()));
      largest = std::max(largest, weights.back());
    }
    Real sum = 0;
    for (Real& weight : weights) {
      weight = std::exp(weight - largest);
      sum += weight;
    }
    for (std::int64_t c = 0; c < m_shape.head_dim; ++c) {
      Real output = 0;
      for (std::size_t n = 0; n < keys.size(); ++n)
        output += m_round(weights[n] / sum) * input(m_problem.v, b, kv_head, keys[n], c);
      m_result.o.push_back(static_cast<double>(m_round(output)));
    }
    m_result.lse.push_back(keys.empty() ? -std::numeric_limits<double>::infinity()
                                        : static_cast<double>(largest + std::log(sum)));
  }

  Real input(const Tensor<std::uint16_t>& tensor, std::int64_t b, std::int64_t h, std::int64_t r,
             std::int64_t c) const {
    return static_cast<Real>(m_problem.value(tensor, b, h, r, c));
  }
  // hk_attention_args holds a float; the default is 1 / sqrt(head_dim) rounded to one.
  [[nodiscard]] Real scale() const {
    if (!std::isnan(m_shape.scale))
      return static_cast<Real>(m_shape.scale);
    return static_cast<Real>(static_cast<float>(1.0 / std::sqrt(static_cast<double>(m_shape.head_dim))));
  }

  const Problem& m_problem;
  const Shape& m_shape;
  Round m_round;
  ReferenceResult m_result;
};

} // namespace

ReferenceResult naive_fp64(const Problem& problem) {
  const auto keep = [](double value) { return value; };
  return Definition<double, decltype(keep)>(problem, keep).compute();
}

ReferenceResult naive_input_type(const Problem& problem) {
  const auto round = [dtype = problem.shape.dtype](float value) {
    return static_cast<float>(widen(dtype, narrow(dtype, static_cast<double>(value))));
  };
  return Definition<float, decltype(round)>(problem, round).compute();
}

} // namespace hk::test
