#pragma once
// hk_attention_args that are right in every respect, for tests to break or vary. Pointers are made up, and so far
// apart that tensors of no size overlap.

#include <cstdint>

#include "hk/hk.h"

namespace hk::test {

struct SampleSizes {
  std::int64_t batch = 2;
  std::int64_t heads_q = 8;
  std::int64_t heads_kv = 2;
  std::int64_t seq_q = 96;
  std::int64_t seq_k = 160;
  std::int64_t head_dim = 128;
};

constexpr std::uint64_t k_apart = std::uint64_t{1} << 48;

inline void* made_up_pointer(std::uint64_t address) {
  return reinterpret_cast<void*>(address); // NOLINT: never followed
}

// Dense [batch][head][row][column].
inline hk_tensor dense_tensor(std::uint64_t address, std::int64_t heads, std::int64_t rows, std::int64_t columns) {
  return {made_up_pointer(address), HK_DTYPE_BFLOAT16, 0, heads * rows * columns, rows * columns, columns};
}

inline hk_attention_args sample_args(const SampleSizes& sizes = {}) {
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  args.batch = sizes.batch;
  args.heads_q = sizes.heads_q;
  args.heads_kv = sizes.heads_kv;
  args.seq_q = sizes.seq_q;
  args.seq_k = sizes.seq_k;
  args.head_dim = sizes.head_dim;
  args.q = dense_tensor(k_apart, sizes.heads_q, sizes.seq_q, sizes.head_dim);
  args.k = dense_tensor(2 * k_apart, sizes.heads_kv, sizes.seq_k, sizes.head_dim);
  args.v = dense_tensor(3 * k_apart, sizes.heads_kv, sizes.seq_k, sizes.head_dim);
  args.o = dense_tensor(4 * k_apart, sizes.heads_q, sizes.seq_q, sizes.head_dim);
  args.lse = static_cast<float*>(made_up_pointer(5 * k_apart));
  args.lse_stride_batch = sizes.heads_q * sizes.seq_q;
  args.lse_stride_head = sizes.seq_q;
  return args;
}

} // namespace hk::test
