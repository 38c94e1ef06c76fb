#pragma once
// What a kernel is tried on: a problem of the same class with buffers of our own, and the rows that are looked at.

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "ops/attention/problem.h"
#include "ops/attention/sampled_reference.h"

namespace hk::ops {

// How much of a problem is tried.
struct TrialScale {
  bool one_group = false;         // batch 1 and one key/value head with its query heads
  std::uint64_t memory_bytes = 0; // limit of the tensors; batch, then heads are reduced until they fit
};

// The problem to be tried: lengths, head ratio, mask, outputs and alignment class of `of`; dense tensors without data.
// Where `of` is not aligned, rows are one element further apart and tensors are meant to begin one element past a
// multiple of 16 bytes. Fails with out_of_memory if one batch of one group does not fit.
Result<AttentionProblem> trial_problem(const AttentionProblem& of, const TrialScale& scale);

// Elements from the first to one past the last of the trial's q and o, and of its k and v.
std::int64_t query_elements(const AttentionProblem& trial);
std::int64_t key_elements(const AttentionProblem& trial);
// Bytes of all its tensors.
std::uint64_t tensor_bytes(const AttentionProblem& trial);

// At most 64 rows: the first and last, both sides of the edges of query tiles and of the mask, and random ones, in up
// to four heads of different batches. Sorted by batch and head.
std::vector<SampledRow> rows_to_look_at(const AttentionProblem& trial, std::uint64_t seed);

} // namespace hk::ops
