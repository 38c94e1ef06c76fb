#pragma once
// The problems that the benchmarks ask the library for.

#include <cstdint>

#include "hk/hk.h"

namespace hk::bench {

// Causal attention, dense [batch][head][row][head_dim] in bf16; all pointers are null, as for hk_attention_prepare.
hk_attention_args dense_attention(std::int64_t head_dim, std::int64_t seq_q, std::int64_t seq_k);

} // namespace hk::bench
