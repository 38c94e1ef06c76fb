#include "ops/attention/reference.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "base/usable_processors.h"
#include "ops/attention/reference_rows.h"

namespace hk::ops {
namespace {

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
  const auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(groups, base::usable_processors()));
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
