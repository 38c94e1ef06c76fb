#include "ops/attention/reference.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <system_error>
#include <thread>
#include <vector>

namespace hk::ops {
namespace {

// Keys are handled in blocks of this many, side by side, so that a compiler can use vector registers without
// reordering any sum.
constexpr std::int64_t k_block = 16;

// One key/value head, converted: k as blocks of [head_dim][k_block], v as [seq_k][head_dim].
template <typename Real>
struct KeysAndValues {
  std::vector<Real> k;
  std::vector<Real> v;
};

const std::uint16_t* row_of(const AttentionTensor& tensor, std::int64_t batch, std::int64_t head, std::int64_t row) {
  return static_cast<const std::uint16_t*>(tensor.data) + batch * tensor.stride_batch + head * tensor.stride_head +
         row * tensor.stride_row;
}

// Only keys below `visible` are read: what no row sees may be anything.
template <typename Real>
void convert(const AttentionProblem& problem, std::int64_t batch, std::int64_t head, std::int64_t visible,
             KeysAndValues<Real>& converted) {
  const std::int64_t columns = problem.head_dim;
  const std::int64_t blocks = (visible + k_block - 1) / k_block;
  converted.k.assign(static_cast<std::size_t>(blocks * columns * k_block), Real(0));
  converted.v.assign(static_cast<std::size_t>(visible * columns), Real(0));
  for (std::int64_t j = 0; j < visible; ++j) {
    const std::uint16_t* k_row = row_of(problem.k, batch, head, j);
    const std::uint16_t* v_row = row_of(problem.v, batch, head, j);
    Real* block = converted.k.data() + j / k_block * columns * k_block + j % k_block;
    Real* values = converted.v.data() + j * columns;
    for (std::int64_t c = 0; c < columns; ++c) {
      block[c * k_block] = static_cast<Real>(element_to_float(problem.element, k_row[c]));
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
    const std::int64_t blocks = (visible + k_block - 1) / k_block;
    const Real scale = static_cast<Real>(m_problem.scale);
    m_scores.resize(static_cast<std::size_t>(blocks * k_block));
    for (std::int64_t b = 0; b < blocks; ++b) {
      const Real* block = m_converted.k.data() + b * columns * k_block;
      Real sums[k_block] = {};
      for (std::int64_t c = 0; c < columns; ++c) {
        for (std::int64_t n = 0; n < k_block; ++n)
          sums[n] += m_query[c] * block[c * k_block + n];
      }
      for (std::int64_t n = 0; n < k_block; ++n)
        m_scores[b * k_block + n] = round(sums[n] * scale);
    }
  }

  const AttentionProblem& m_problem;
  const KeysAndValues<Real>& m_converted;
  std::vector<Real> m_query;
  std::vector<Real> m_sums;
  std::vector<Real> m_scores;
};

// All query heads that read one key/value head.
template <typename Real, bool RoundToElement>
void compute_group(const AttentionProblem& problem, std::int64_t batch, std::int64_t head_kv, double* o, double* lse) {
  KeysAndValues<Real> converted;
  convert(problem, batch, head_kv, problem.visible_keys(problem.seq_q - 1), converted);
  RowComputer<Real, RoundToElement> rows(problem, converted);
  for (std::int64_t g = 0; g < problem.group_size(); ++g) {
    const std::int64_t head = head_kv * problem.group_size() + g;
    for (std::int64_t i = 0; i < problem.seq_q; ++i) {
      const std::int64_t row = (batch * problem.heads_q + head) * problem.seq_q + i;
      rows.compute(row_of(problem.q, batch, head, i), problem.visible_keys(i), o + row * problem.head_dim,
                   lse != nullptr ? lse + row : nullptr);
    }
  }
}

unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0)
    return 1;
  return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
}

// False if the system gives no more threads: those that exist, at least the caller's, then do the work.
template <typename Work>
bool start_thread(std::vector<std::thread>& threads, const Work& work) {
  try {
    threads.emplace_back(work);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// Hands groups to threads; what a thread could not allocate is reported by the caller's thread.
template <typename Real, bool RoundToElement>
Status compute_all(const AttentionProblem& problem, double* o, double* lse) {
  const std::int64_t groups = problem.batch * problem.heads_kv;
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> out_of_memory{false};
  const auto work = [&] {
    try {
      for (std::int64_t group = next++; group < groups && !out_of_memory; group = next++)
        compute_group<Real, RoundToElement>(problem, group / problem.heads_kv, group % problem.heads_kv, o, lse);
    } catch (const std::exception&) { // bad_alloc, or length_error beyond what a vector can hold
      out_of_memory = true;
    }
  };
  std::vector<std::thread> helpers;
  const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(groups, usable_processors()));
  helpers.reserve(wanted);
  bool more = true;
  while (more && helpers.size() + 1 < wanted)
    more = start_thread(helpers, work);
  work();
  for (std::thread& helper : helpers)
    helper.join();
  if (out_of_memory)
    return {StatusCode::out_of_memory, "hk_attention_reference: no host memory left for one key/value head"};
  return {};
}

} // namespace

Status attention_reference(const AttentionProblem& problem, ReferencePrecision precision, double* o, double* lse) {
  if (problem.empty())
    return {};
  return precision == ReferencePrecision::fp64 ? compute_all<double, false>(problem, o, lse)
                                               : compute_all<float, true>(problem, o, lse);
}

} // namespace hk::ops
