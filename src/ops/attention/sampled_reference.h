#pragma once
// The reference of chosen rows, for checks that must not take as long as the whole output would.

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "ops/attention/problem.h"

namespace hk::ops {

struct SampledRow {
  std::int64_t batch = 0;
  std::int64_t head = 0; // of the queries
  std::int64_t row = 0;
};

struct SampledReference {
  std::vector<double> o;   // fp64, [rows][head_dim]
  std::vector<double> lse; // fp64, [rows]
  // 2 P + 2 ulp: P = the largest error over these rows of an honest implementation in the input type (see
  // ReferencePrecision::input_type), ulp of the element type at the largest output.
  double bound = 0;
};

// problem: of AttentionUse::reference, not empty; rows inside it. Rows that share a key/value head should follow each
// other: its keys are then converted once. Works on the calling thread. Throws std::bad_alloc.
SampledReference sampled_attention_reference(const AttentionProblem& problem, std::span<const SampledRow> rows);

// What a device computed for those rows.
struct SampledOutput {
  std::vector<std::uint16_t> o; // [rows][head_dim], bits of the element
  std::vector<float> lse;       // [rows]; empty if the problem has none
};

// An error of O beyond the bound, an LSE off by more than 1e-3 + 1e-5 |lse|, or a row that sees no key and is not
// O = 0, LSE = -infinity. Fails with internal; the sentence names the first such row and what it holds.
Status compare_sampled_rows(const AttentionProblem& problem, std::span<const SampledRow> rows,
                            const SampledReference& reference, const SampledOutput& output);

} // namespace hk::ops
