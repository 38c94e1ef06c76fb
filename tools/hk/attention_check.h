#pragma once
// The verdict on an output: its error against fp64, and the bound that an honest implementation keeps.

#include <cstdint>
#include <span>

#include "attention_inputs.h"

namespace hk::command {

struct AttentionErrors {
  double max_abs_err = 0;         // E: of the output, against fp64; NaN if an output is NaN and should not be
  double lowprec_max_abs_err = 0; // P: of the same mathematics in the input type, against fp64
  double bound = 0;               // 2 P + 2 ulp of the dtype at the largest output

  [[nodiscard]] bool within_bound() const { return max_abs_err <= bound; } // false for NaN
};

// o: dense [batch][heads][seq_q][head_dim]. Throws hk::Error.
AttentionErrors check_attention(const AttentionOptions& options, AttentionInputs& inputs,
                                std::span<const std::uint16_t> o);

} // namespace hk::command
