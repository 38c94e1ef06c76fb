#include "problem.h"

namespace hk::bench {

hk_attention_args dense_attention(std::int64_t head_dim, std::int64_t seq_q, std::int64_t seq_k) {
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  args.mask = HK_MASK_CAUSAL_BOTTOM_RIGHT;
  args.batch = 1;
  args.heads_q = 32;
  args.heads_kv = 8;
  args.seq_q = seq_q;
  args.seq_k = seq_k;
  args.head_dim = head_dim;
  const auto dense = [head_dim](std::int64_t heads, std::int64_t rows) {
    return hk_tensor{nullptr, HK_DTYPE_BFLOAT16, 0, heads * rows * head_dim, rows * head_dim, head_dim};
  };
  args.q = args.o = dense(args.heads_q, seq_q);
  args.k = args.v = dense(args.heads_kv, seq_k);
  return args;
}

} // namespace hk::bench
