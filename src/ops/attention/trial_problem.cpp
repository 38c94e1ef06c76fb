#include "ops/attention/trial_problem.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "ops/attention/spec.h"
#include "ops/random_elements.h"

namespace hk::ops {
namespace {

constexpr std::size_t k_rows = 64;
constexpr std::int64_t k_heads_looked_at = 4;

AttentionTensor dense(std::int64_t heads, std::int64_t rows, std::int64_t row_stride) {
  return {nullptr, heads * rows * row_stride, rows * row_stride, row_stride};
}

std::int64_t elements(std::int64_t batch, std::int64_t heads, std::int64_t rows, std::int64_t row_stride) {
  return batch * heads * rows * row_stride;
}

void lay_out(AttentionProblem& trial, bool aligned) {
  const std::int64_t row_stride = aligned ? trial.head_dim : trial.head_dim + 1;
  trial.q = trial.o = dense(trial.heads_q, trial.seq_q, row_stride);
  trial.k = trial.v = dense(trial.heads_kv, trial.seq_k, row_stride);
  trial.lse_stride_batch = trial.heads_q * trial.seq_q;
  trial.lse_stride_head = trial.seq_q;
  trial.pointer_alignment = aligned ? 16 : 2;
}

// Rows at which a kernel changes what it does.
std::vector<std::int64_t> notable_rows(const AttentionProblem& trial) {
  const std::int64_t last = trial.seq_q - 1;
  std::vector<std::int64_t> rows = {0, last};
  for (const std::int64_t tile : {256, 128, 64, 32}) {
    for (const std::int64_t edge : {last / tile * tile, tile})
      rows.insert(rows.end(), {edge - 1, edge});
  }
  // Causal: the last row that sees nothing, and the first that sees everything.
  rows.insert(rows.end(), {trial.seq_q - trial.seq_k - 1, trial.seq_q - trial.seq_k, trial.seq_k - 1, trial.seq_k});
  return rows;
}

// A few (batch, head) pairs, the first and the last among them.
std::vector<std::pair<std::int64_t, std::int64_t>> heads_to_look_at(const AttentionProblem& trial, RandomBits& random) {
  std::set<std::pair<std::int64_t, std::int64_t>> chosen = {{0, 0}, {trial.batch - 1, trial.heads_q - 1}};
  const std::int64_t all = trial.batch * trial.heads_q;
  while (static_cast<std::int64_t>(chosen.size()) < std::min(k_heads_looked_at, all))
    chosen.emplace(random.below(trial.batch), random.below(trial.heads_q));
  return {chosen.begin(), chosen.end()};
}

} // namespace

std::int64_t query_elements(const AttentionProblem& trial) {
  return elements(trial.batch, trial.heads_q, trial.seq_q, trial.q.stride_row);
}

std::int64_t key_elements(const AttentionProblem& trial) {
  return elements(trial.batch, trial.heads_kv, trial.seq_k, trial.k.stride_row);
}

std::uint64_t tensor_bytes(const AttentionProblem& trial) {
  const std::int64_t in_elements = 2 * (query_elements(trial) + key_elements(trial));
  const std::int64_t log_sums = trial.write_lse ? trial.batch * trial.heads_q * trial.seq_q : 0;
  return static_cast<std::uint64_t>(in_elements * k_element_bytes + log_sums * 4);
}

Result<AttentionProblem> trial_problem(const AttentionProblem& of, const TrialScale& scale) {
  AttentionProblem trial = of;
  const bool aligned = is_aligned(of);
  const std::int64_t group = of.group_size();
  trial.lse = nullptr;
  if (scale.one_group) {
    trial.batch = trial.heads_kv = 1;
    trial.heads_q = group;
  }
  const auto row_stride = static_cast<double>(aligned ? of.head_dim : of.head_dim + 1);
  // What strides of 0 allow may as dense tensors be more than 64 bits can count; a double can.
  const auto too_large = [&] {
    const double rows = static_cast<double>(trial.heads_q) * static_cast<double>(trial.seq_q) +
                        static_cast<double>(trial.heads_kv) * static_cast<double>(trial.seq_k);
    return static_cast<double>(trial.batch) * rows * row_stride * 2 * k_element_bytes >
           static_cast<double>(scale.memory_bytes);
  };
  while (too_large() && trial.batch > 1)
    trial.batch = (trial.batch + 1) / 2;
  while (too_large() && trial.heads_kv > 1) {
    trial.heads_kv = (trial.heads_kv + 1) / 2;
    trial.heads_q = trial.heads_kv * group;
  }
  if (too_large())
    return fail(StatusCode::out_of_memory, "one head group of " + std::to_string(trial.seq_q) + " query rows and " +
                                               std::to_string(trial.seq_k) + " key rows takes more than " +
                                               std::to_string(scale.memory_bytes) + " bytes: it is not tried");
  lay_out(trial, aligned);
  return trial;
}

std::vector<SampledRow> rows_to_look_at(const AttentionProblem& trial, std::uint64_t seed) {
  RandomBits random(seed);
  const auto heads = heads_to_look_at(trial, random);
  const std::size_t wanted = std::min<std::size_t>(k_rows, heads.size() * static_cast<std::size_t>(trial.seq_q));
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> rows;
  std::size_t turn = 0;
  for (const std::int64_t row : notable_rows(trial)) {
    const auto& [batch, head] = heads[turn % heads.size()];
    if (row >= 0 && row < trial.seq_q && rows.emplace(batch, head, row).second)
      ++turn;
  }
  // Few rows: all of them, in order. Many: random ones meet a taken one rarely.
  if (wanted < k_rows) {
    for (const auto& [batch, head] : heads) {
      for (std::int64_t row = 0; row < trial.seq_q; ++row)
        rows.emplace(batch, head, row);
    }
  }
  while (rows.size() < wanted) {
    const auto& [batch, head] = heads[turn++ % heads.size()];
    rows.emplace(batch, head, random.below(trial.seq_q));
  }
  std::vector<SampledRow> listed;
  listed.reserve(rows.size());
  for (const auto& [batch, head, row] : rows)
    listed.push_back({batch, head, row});
  return listed;
}

} // namespace hk::ops
