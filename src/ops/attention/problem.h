#pragma once
// AttentionProblem: hk_attention_args after every check, so that whoever holds one may compute with its numbers freely.

#include <cstdint>

#include "base/status.h"
#include "codeobj/processor.h"
#include "hk/hk.h"
#include "ops/element.h"

namespace hk::ops {

enum class AttentionMask : std::uint8_t {
  none = 0,
  causal_bottom_right = 1,
  causal_top_left = 2
}; // numbers of hk_mask

// Strides in elements. The stride of a dimension of size 0 or 1 is never used and is 0 here; only the row stride of the
// output is at least a row in any case.
struct AttentionTensor {
  void* data = nullptr;
  std::int64_t stride_batch = 0;
  std::int64_t stride_head = 0;
  std::int64_t stride_row = 0;
};

struct AttentionProblem {
  ElementType element = ElementType::bfloat16;
  AttentionMask mask = AttentionMask::none;
  bool write_lse = false;
  float scale = 0; // the default already put in
  std::int64_t batch = 0;
  std::int64_t heads_q = 0;
  std::int64_t heads_kv = 0;
  std::int64_t seq_q = 0;
  std::int64_t seq_k = 0;
  std::int64_t head_dim = 0;
  AttentionTensor q, k, v, o;
  float* lse = nullptr;
  std::int64_t lse_stride_batch = 0;
  std::int64_t lse_stride_head = 0;
  // What every pointer is a multiple of, in bytes: of the pointers, or announced by a query that has none.
  std::uint64_t pointer_alignment = 0;
  // What computes it: decides the configurations and the width of a wave. The first one where nobody says.
  const codeobj::Processor* processor = &codeobj::processors().front();

  // Whether no output element exists.
  [[nodiscard]] bool empty() const { return batch == 0 || seq_q == 0; }
  [[nodiscard]] std::int64_t group_size() const { return heads_q / heads_kv; }
  // Keys that row i of the queries sees: those with index below this.
  [[nodiscard]] std::int64_t visible_keys(std::int64_t row) const;
};

enum class AttentionUse {
  launch,    // device pointers, which must be there
  query,     // pointers may be null
  reference, // host pointers; any head dimension; o and lse are ignored
};

// Every refusal names the field, its value and what is accepted. Fails with invalid_argument or unsupported.
Result<AttentionProblem> make_attention_problem(const hk_attention_args& args, AttentionUse use);

} // namespace hk::ops
