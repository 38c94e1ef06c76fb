#pragma once
// Problem: one attention problem in host memory with its outputs.

#include <cstdint>
#include <string>

#include "element.h"
#include "hk/hk.h"
#include "tensor.h"

namespace hk::test {

struct Shape {
  hk_dtype dtype = HK_DTYPE_BFLOAT16;
  std::int64_t head_dim = 64;
  hk_mask mask = HK_MASK_NONE;
  std::int64_t batch = 1;
  std::int64_t heads_q = 1;
  std::int64_t heads_kv = 1;
  std::int64_t seq_q = 1;
  std::int64_t seq_k = 1;
  float scale = HK_SCALE_DEFAULT;
  bool want_lse = true;

  [[nodiscard]] Sizes query_sizes() const { return {batch, heads_q, seq_q, head_dim}; }
  [[nodiscard]] Sizes key_sizes() const { return {batch, heads_kv, seq_k, head_dim}; }
  // As hk.h defines the masks.
  [[nodiscard]] bool sees(std::int64_t row, std::int64_t key) const;
  // For messages: "bf16 d64 causal_br b1 h4/1 q65 k129".
  [[nodiscard]] std::string text() const;
};

struct Arrangement {
  Layout q = Layout::batch_head_row;
  Layout k = Layout::batch_head_row;
  Layout v = Layout::batch_head_row;
  Layout o = Layout::batch_head_row;
  std::int64_t row_padding = 0; // of all four
  Surround surround;            // of all four
};

class Problem {
 public:
  // Inputs are NaN until they are filled, outputs until they are computed.
  explicit Problem(const Shape& shape, const Arrangement& arrangement = {});

  [[nodiscard]] double value(const Tensor<std::uint16_t>& tensor, std::int64_t batch, std::int64_t head,
                             std::int64_t row, std::int64_t column) const {
    return widen(shape.dtype, tensor.at(batch, head, row, column));
  }
  [[nodiscard]] double output(std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t column) const {
    return value(o, batch, head, row, column);
  }
  [[nodiscard]] float log_sum(std::int64_t batch, std::int64_t head, std::int64_t row) const;
  void spoil_outputs();

  // Sizes, mask, scale, dtypes and strides; pointers are null.
  [[nodiscard]] hk_attention_args args() const;
  // With pointers to q, k and v in host memory: for hk_attention_reference.
  [[nodiscard]] hk_attention_args host_args();

  Shape shape;
  Tensor<std::uint16_t> q, k, v, o;
  Tensor<std::uint32_t> lse; // [batch][heads_q][1][seq_q], bits of floats; unused unless shape.want_lse
};

} // namespace hk::test
