#pragma once
// Problems of the null device by number: each number is a kernel of its own, because exact kernels
// (HK_SPECIALIZE=exact) fix the sequence lengths.

#include <cstdint>

#include "hk/hk.h"

namespace hk::test {

// The null device takes every pointer for its own and reads none.
inline hk_attention_args exact_problem(long seq_k) {
  constexpr std::int64_t k_head_dim = 64;
  constexpr std::int64_t k_seq_q = 32; // more than 16: below that seq_k is no constant of the kernel
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  args.batch = args.heads_q = args.heads_kv = 1;
  args.seq_q = k_seq_q;
  args.seq_k = seq_k;
  args.head_dim = k_head_dim;
  const auto at = [](int i) {
    // Far apart, so that no tensors overlap; 16-byte aligned. NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<void*>((std::uintptr_t{1} << 40) * static_cast<unsigned>(i + 1));
  };
  args.q = {at(0), HK_DTYPE_BFLOAT16, 0, k_seq_q * k_head_dim, k_seq_q * k_head_dim, k_head_dim};
  args.k = {at(1), HK_DTYPE_BFLOAT16, 0, seq_k * k_head_dim, seq_k * k_head_dim, k_head_dim};
  args.v = {at(2), HK_DTYPE_BFLOAT16, 0, seq_k * k_head_dim, seq_k * k_head_dim, k_head_dim};
  args.o = {at(3), HK_DTYPE_BFLOAT16, 0, k_seq_q * k_head_dim, k_seq_q * k_head_dim, k_head_dim};
  return args;
}

} // namespace hk::test
