#pragma once
// What attention forward must give: in fp64, and as the usual low-precision computation gives it.

#include <vector>

#include "attention_problem.h"

namespace hk::test {

struct Expected {
  std::vector<double> o;   ///< [batch, heads_q, seq_q, head_dim], fp64
  std::vector<double> lse; ///< [batch, heads_q, seq_q], natural logarithm
  /// Per row, scale * max over visible keys of sum |q| |k|: the magnitude against which a dot product in fp32 errs.
  std::vector<double> logit_magnitude;
  double low_precision_error = 0.0; ///< P: max abs error of the low-precision computation
  double scale = 0.0;               ///< max abs value of o
};

/// Softmax over the visible keys; a row that sees none gives zeros and a log-sum-exp of minus infinity.
/// The low-precision computation: scores rounded to the element type, softmax in fp32, probabilities rounded to the
/// element type, products accumulated in fp32, output rounded.
Expected expected_attention(const Problem& problem);

} // namespace hk::test
