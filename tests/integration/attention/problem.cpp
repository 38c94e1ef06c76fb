#include "problem.h"

#include <bit>

namespace hk::test {
namespace {

const char* mask_text(hk_mask mask) {
  switch (mask) {
  case HK_MASK_CAUSAL_BOTTOM_RIGHT:
    return "causal_br";
  case HK_MASK_CAUSAL_TOP_LEFT:
    return "causal_tl";
  case HK_MASK_NONE:
    break;
  }
  return "no_mask";
}

hk_tensor describe(const Tensor<std::uint16_t>& tensor, hk_dtype dtype) {
  return {nullptr, dtype, 0, tensor.strides().batch, tensor.strides().head, tensor.strides().row};
}

} // namespace

bool Shape::sees(std::int64_t row, std::int64_t key) const {
  switch (mask) {
  case HK_MASK_CAUSAL_BOTTOM_RIGHT:
    return key <= row + seq_k - seq_q;
  case HK_MASK_CAUSAL_TOP_LEFT:
    return key <= row;
  case HK_MASK_NONE:
    break;
  }
  return true;
}

std::string Shape::text() const {
  std::string text = dtype == HK_DTYPE_BFLOAT16 ? "bf16 d" : "fp16 d";
  text += std::to_string(head_dim) + " " + mask_text(mask) + " b" + std::to_string(batch);
  text += " h" + std::to_string(heads_q) + "/" + std::to_string(heads_kv);
  text += " q" + std::to_string(seq_q) + " k" + std::to_string(seq_k);
  return want_lse ? text + " lse" : text;
}

Problem::Problem(const Shape& wanted, const Arrangement& arrangement)
    : shape(wanted),
      q(wanted.query_sizes(), dense_strides(wanted.query_sizes(), arrangement.q, arrangement.row_padding),
        arrangement.surround),
      k(wanted.key_sizes(), dense_strides(wanted.key_sizes(), arrangement.k, arrangement.row_padding),
        arrangement.surround),
      v(wanted.key_sizes(), dense_strides(wanted.key_sizes(), arrangement.v, arrangement.row_padding),
        arrangement.surround),
      o(wanted.query_sizes(), dense_strides(wanted.query_sizes(), arrangement.o, arrangement.row_padding),
        arrangement.surround) {
  const Sizes rows{wanted.batch, wanted.heads_q, 1, wanted.seq_q};
  lse = Tensor<std::uint32_t>(rows, dense_strides(rows));
}

float Problem::log_sum(std::int64_t batch, std::int64_t head, std::int64_t row) const {
  return std::bit_cast<float>(lse.at(batch, head, 0, row));
}

void Problem::spoil_outputs() {
  o.fill(k_nan_bits);
  lse.fill(Tensor<std::uint32_t>::k_guard);
}

hk_attention_args Problem::args() const {
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  args.mask = shape.mask;
  args.scale = shape.scale;
  args.batch = shape.batch;
  args.heads_q = shape.heads_q;
  args.heads_kv = shape.heads_kv;
  args.seq_q = shape.seq_q;
  args.seq_k = shape.seq_k;
  args.head_dim = shape.head_dim;
  args.q = describe(q, shape.dtype);
  args.k = describe(k, shape.dtype);
  args.v = describe(v, shape.dtype);
  args.o = describe(o, shape.dtype);
  args.want_lse = shape.want_lse ? 1 : 0;
  args.lse_stride_batch = lse.strides().batch;
  args.lse_stride_head = lse.strides().head;
  return args;
}

hk_attention_args Problem::host_args() {
  hk_attention_args result = args();
  result.q.data = q.storage().data() + q.first();
  result.k.data = k.storage().data() + k.first();
  result.v.data = v.storage().data() + v.first();
  return result;
}

} // namespace hk::test
