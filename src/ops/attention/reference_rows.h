#pragma once
// The arithmetic of the host reference, one query row at a time: reference.cpp runs it over every row,
// sampled_reference.cpp over chosen ones.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "ops/attention/problem.h"

namespace hk::ops {

// Keys are handled in blocks of this many, side by side, so that a compiler can use vector registers without
// reordering any sum.
inline constexpr std::int64_t k_key_block = 16;

// One key/value head, converted: k as blocks of [head_dim][k_key_block], v as [seq_k][head_dim].
template <typename Real>
struct KeysAndValues {
  std::vector<Real> k;
  std::vector<Real> v;
};

inline const std::uint16_t* row_of(const AttentionTensor& tensor, std::int64_t batch, std::int64_t head,
                                   std::int64_t row) {
  return static_cast<const std::uint16_t*>(tensor.data) + batch * tensor.stride_batch + head * tensor.stride_head +
         row * tensor.stride_row;
}

// Only keys below `visible` are read: what no row sees may be anything.
template <typename Real>
void convert(const AttentionProblem& problem, std::int64_t batch, std::int64_t head, std::int64_t visible,
             KeysAndValues<Real>& converted) {
  const std::int64_t columns = problem.head_dim;
  const std::int64_t blocks = (visible + k_key_block - 1) / k_key_block;
  converted.k.assign(static_cast<std::size_t>(blocks * columns * k_key_block), Real(0));
  converted.v.assign(static_cast<std::size_t>(visible * columns), Real(0));
  for (std::int64_t j = 0; j < visible; ++j) {
    const std::uint16_t* k_row = row_of(problem.k, batch, head, j);
    const std::uint16_t* v_row = row_of(problem.v, batch, head, j);
    Real* block = converted.k.data() + j / k_key_block * columns * k_key_block + j % k_key_block;
    Real* values = converted.v.data() + j * columns;
    for (std::int64_t c = 0; c < columns; ++c) {
      block[c * k_key_block] = static_cast<Real>(element_to_float(problem.element, k_row[c]));
      values[c] = static_cast<Real>(element_to_float(problem.element, v_row[c]));
    }
  }
}

// One query row after the other, over keys and values that were converted once.
template <typename Real, bool RoundToElement>
class RowComputer {
 public:
  RowComputer(const AttentionProblem& problem, const KeysAndValues<Real>& converted)
      : m_problem(problem), m_converted(converted), m_query(static_cast<std::size_t>(problem.head_dim)),
        m_sums(static_cast<std::size_t>(problem.head_dim)) {}

  // output: head_dim numbers; log_sum: one, or null.
  void compute(const std::uint16_t* query, std::int64_t visible, double* output, double* log_sum) {
    const std::int64_t columns = m_problem.head_dim;
    for (std::int64_t c = 0; c < columns; ++c)
      m_query[c] = static_cast<Real>(element_to_float(m_problem.element, query[c]));
    std::fill(m_sums.begin(), m_sums.end(), Real(0));
    const Real log_of_sum = probabilities(visible);
    for (std::int64_t j = 0; j < visible; ++j) {
      const Real probability = m_scores[j];
      const Real* values = m_converted.v.data() + j * columns;
      for (std::int64_t c = 0; c < columns; ++c)
        m_sums[c] += probability * values[c];
    }
    for (std::int64_t c = 0; c < columns; ++c)
      output[c] = static_cast<double>(round(m_sums[c]));
    if (log_sum != nullptr)
      *log_sum = static_cast<double>(log_of_sum);
  }

 private:
  Real round(Real value) const {
    if constexpr (RoundToElement)
      return round_to_element(m_problem.element, value);
    else
      return value;
  }

  // Fills m_scores with the probabilities of the visible keys; returns the logarithm of their sum before normalising.
  Real probabilities(std::int64_t visible) {
    scores(visible);
    Real largest = -std::numeric_limits<Real>::infinity();
    for (std::int64_t j = 0; j < visible; ++j)
      largest = m_scores[j] > largest ? m_scores[j] : largest;
    // Without a finite maximum (no visible key, or all scores -infinity) there is nothing to subtract.
    const Real shift = std::isinf(largest) && largest < 0 ? Real(0) : largest;
    Real sum = 0;
    for (std::int64_t j = 0; j < visible; ++j) {
      m_scores[j] = std::exp(m_scores[j] - shift);
      sum += m_scores[j];
    }
    for (std::int64_t j = 0; j < visible; ++j)
      m_scores[j] = sum == 0 ? Real(0) : round(m_scores[j] / sum);
    return sum == 0 ? -std::numeric_limits<Real>::infinity() : shift + std::log(sum);
  }

  void scores(std::int64_t visible) {
    const std::int64_t columns = m_problem.head_dim;
    const std::int64_t blocks = (visible + k_key_block - 1) / k_key_block;
    const Real scale = static_cast<Real>(m_problem.scale);
    m_scores.resize(static_cast<std::size_t>(blocks * k_key_block));
    for (std::int64_t b = 0; b < blocks; ++b) {
      const Real* block = m_converted.k.data() + b * columns * k_key_block;
      Real sums[k_key_block] = {};
      for (std::int64_t c = 0; c < columns; ++c) {
        for (std::int64_t n = 0; n < k_key_block; ++n)
          sums[n] += m_query[c] * block[c * k_key_block + n];
      }
      for (std::int64_t n = 0; n < k_key_block; ++n)
        m_scores[b * k_key_block + n] = round(sums[n] * scale);
    }
  }

  const AttentionProblem& m_problem;
  const KeysAndValues<Real>& m_converted;
  std::vector<Real> m_query;
  std::vector<Real> m_sums;
  std::vector<Real> m_scores;
};

} // namespace hk::ops
