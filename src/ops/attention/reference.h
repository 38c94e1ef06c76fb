#pragma once
// Attention on the host, for checking: once in double, once as an honest implementation in the input type would do it.

#include "base/status.h"
#include "ops/attention/problem.h"

namespace hk::ops {

enum class ReferencePrecision {
  fp64, // nothing is rounded
  // Scores rounded to the element, softmax in float, probabilities rounded to the element, products summed in float,
  // output rounded to the element.
  input_type,
};

// problem: of AttentionUse::reference. o: dense [batch][heads_q][seq_q][head_dim]; lse: dense [batch][heads_q][seq_q],
// natural logarithm, or null. Uses at most as many threads as the process may run on.
// Fails with out_of_memory.
Status attention_reference(const AttentionProblem& problem, ReferencePrecision precision, double* o, double* lse);

} // namespace hk::ops
