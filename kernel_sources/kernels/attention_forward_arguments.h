#pragma once
// The kernel argument segment of attention_forward, shared by kernel and host.

#include <hk/tile/integers.h>

namespace hk {

/// All strides are in bytes; features of a row are contiguous. Elements are bfloat16 or float16 by kernel.
/// q and o: [batch, heads_q, seq_q, head_dim]; k and v: [batch, heads_kv, seq_k, head_dim]; lse: [batch, heads_q,
/// seq_q] with contiguous queries, null when the kernel does not write it.
struct AttentionForwardArguments {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  float* lse;
  int64 q_stride_batch, q_stride_head, q_stride_row;
  int64 k_stride_batch, k_stride_head, k_stride_row;
  int64 v_stride_batch, v_stride_head, v_stride_row;
  int64 o_stride_batch, o_stride_head, o_stride_row;
  int64 lse_stride_batch, lse_stride_head;
  int32 batch, heads_q, heads_kv, seq_q, seq_k;
  int32 group_size;  ///< heads_q / heads_kv
  float scale_log2e; ///< softmax scale * log2(e)
  int32 reserved;
};

} // namespace hk
