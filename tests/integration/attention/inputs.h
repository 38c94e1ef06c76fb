#pragma once
// What the tensors of a problem hold. Everything is a function of the seed.

#include <cstdint>

#include "problem.h"

namespace hk::test {

enum class Input {
  normal,     // q, k, v of deviation 1: logits of deviation about 1
  deviation8, // logits of deviation about 8
  peaked,     // one key per query row far above the others
  constant_v, // normal logits; each column of v holds one value, which bf16 and fp16 hold exactly
  one_hot_v,  // normal logits; row j of v is 1 in column j mod head_dim and 0 elsewhere
  head_id_v,  // normal logits; v holds batch * heads_kv + head + 1
  zero_qk,    // all logits 0; v holds the index of its row
};

void fill(Problem& problem, Input input, std::uint64_t seed = 1);

// The value of every row of column c under Input::constant_v.
double constant_value(std::int64_t column);

// Bell-shaped numbers between -3.46 and 3.46 deviations.
void fill_normal(Tensor<std::uint16_t>& tensor, hk_dtype dtype, double deviation, std::uint64_t seed);

} // namespace hk::test
