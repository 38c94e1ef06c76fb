#pragma once
// Attention written down as its definition says, so that hk_attention_reference is not its own judge.

#include <vector>

#include "problem.h"

namespace hk::test {

struct ReferenceResult {
  std::vector<double> o;   // dense [batch][heads_q][seq_q][head_dim]
  std::vector<double> lse; // dense [batch][heads_q][seq_q], natural logarithm
};

// All in double.
ReferenceResult naive_fp64(const Problem& problem);

// What an honest implementation in the element type would give: scores rounded to it, softmax in float, probabilities
// rounded to it, products summed in float, output rounded to it.
ReferenceResult naive_input_type(const Problem& problem);

} // namespace hk::test
