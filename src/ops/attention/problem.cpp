#include "ops/attention/problem.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "ops/attention/tensor_check.h"

namespace hk::ops {
namespace {

// Sizes reach the kernel as 32-bit integers to which a tile is added.
constexpr std::int64_t k_largest_size = std::int64_t{1} << 30;

// The kernel gets scale * log2(e), which must be finite too.
constexpr float k_largest_scale = 1e38F;

Status invalid(std::string message) {
  return {StatusCode::invalid_argument, std::move(message)};
}

Status unsupported(std::string message) {
  return {StatusCode::unsupported, std::move(message)};
}

Status check_size(const char* name, std::int64_t size, std::int64_t smallest) {
  if (size < smallest)
    return invalid(std::string(name) + " is " + std::to_string(size) + ": it must be at least " +
                   std::to_string(smallest));
  if (size > k_largest_size)
    return unsupported(std::string(name) + " is " + std::to_string(size) + ": at most " +
                       std::to_string(k_largest_size) + " is supported");
  return {};
}

Status check_sizes(const hk_attention_args& args, AttentionUse use) {
  HK_RETURN_IF_ERROR(check_size("batch", args.batch, 0));
  HK_RETURN_IF_ERROR(check_size("heads_q", args.heads_q, 1));
  HK_RETURN_IF_ERROR(check_size("heads_kv", args.heads_kv, 1));
  HK_RETURN_IF_ERROR(check_size("seq_q", args.seq_q, 0));
  HK_RETURN_IF_ERROR(check_size("seq_k", args.seq_k, 0));
  HK_RETURN_IF_ERROR(check_size("head_dim", args.head_dim, 1));
  if (args.heads_q % args.heads_kv != 0)
    return invalid("heads_q is " + std::to_string(args.heads_q) + ", which is not a multiple of heads_kv, " +
                   std::to_string(args.heads_kv));
  if (use != AttentionUse::reference && args.head_dim != 64 && args.head_dim != 128)
    return unsupported("head_dim is " + std::to_string(args.head_dim) + ": 64 and 128 are supported");
  return {};
}

Status check_dtype(const char* name, std::int32_t dtype, std::int32_t expected) {
  const std::string found = std::string(name) + ".dtype is " + std::to_string(dtype);
  if (dtype == 0)
    return invalid(found + ": set it to a value of hk_dtype");
  if (dtype != HK_DTYPE_BFLOAT16 && dtype != HK_DTYPE_FLOAT16)
    return unsupported(found + ": HK_DTYPE_BFLOAT16 and HK_DTYPE_FLOAT16 are supported");
  if (dtype != expected)
    return unsupported(found + " but q.dtype is " + std::to_string(expected) + ": all tensors must have one dtype");
  return {};
}

Status check_dtypes(const hk_attention_args& args, AttentionUse use) {
  HK_RETURN_IF_ERROR(check_dtype("q", args.q.dtype, args.q.dtype));
  HK_RETURN_IF_ERROR(check_dtype("k", args.k.dtype, args.q.dtype));
  HK_RETURN_IF_ERROR(check_dtype("v", args.v.dtype, args.q.dtype));
  return use == AttentionUse::reference ? Status() : check_dtype("o", args.o.dtype, args.q.dtype);
}

Status check_scalars(const hk_attention_args& args) {
  if (args.reserved != 0)
    return invalid("reserved is " + std::to_string(args.reserved) + ": it must be 0");
  if (args.mask != HK_MASK_NONE && args.mask != HK_MASK_CAUSAL_BOTTOM_RIGHT && args.mask != HK_MASK_CAUSAL_TOP_LEFT)
    return invalid("mask is " + std::to_string(args.mask) + ": use a value of hk_mask (0 to 2)");
  if (std::abs(args.scale) > k_largest_scale) // false for the NaN that means the default
    return invalid("scale is " + std::to_string(args.scale) +
                   ": use a magnitude of at most 1e38, or HK_SCALE_DEFAULT for 1 / sqrt(head_dim)");
  const std::uint32_t alignment = args.pointer_alignment;
  if (alignment != 0 && (alignment < k_element_bytes || (alignment & (alignment - 1)) != 0))
    return invalid("pointer_alignment is " + std::to_string(alignment) +
                   ": use 0 or a power of two of at least 2 bytes, one element");
  if (args.want_lse > 1)
    return invalid("want_lse is " + std::to_string(args.want_lse) + ": use 0 or 1");
  return {};
}

// Elements of `o` and `lse` are written once each, by workgroups that know nothing of each other.
Status check_outputs(const hk_attention_args& args, AttentionUse use) {
  const TensorShape shape{args.batch, args.heads_q, args.seq_q, args.head_dim};
  HK_RETURN_IF_ERROR(check_tensor("o", args.o, shape));
  HK_RETURN_IF_ERROR(check_no_self_overlap("o", strides_of(args.o), shape));
  if (args.lse == nullptr && (use == AttentionUse::launch || args.want_lse == 0))
    return {};
  const TensorStrides lse_strides{args.lse_stride_batch, args.lse_stride_head, 1};
  const TensorShape lse_shape{args.batch, args.heads_q, args.seq_q, 1};
  HK_RETURN_IF_ERROR(check_extent("lse", args.lse, lse_strides, lse_shape, sizeof(float)));
  return check_no_self_overlap("lse", lse_strides, lse_shape);
}

// O and LSE against the inputs and each other. Requires the extents of all to be checked.
Status check_overlaps(const hk_attention_args& args) {
  const TensorShape queries{args.batch, args.heads_q, args.seq_q, args.head_dim};
  const TensorShape keys{args.batch, args.heads_kv, args.seq_k, args.head_dim};
  const TensorShape rows{args.batch, args.heads_q, args.seq_q, 1};
  const PlacedTensor q{"q.data", args.q.data, strides_of(args.q), queries, k_element_bytes};
  const PlacedTensor k{"k.data", args.k.data, strides_of(args.k), keys, k_element_bytes};
  const PlacedTensor v{"v.data", args.v.data, strides_of(args.v), keys, k_element_bytes};
  const PlacedTensor o{"o.data", args.o.data, strides_of(args.o), queries, k_element_bytes};
  const PlacedTensor lse{"lse", args.lse, {args.lse_stride_batch, args.lse_stride_head, 1}, rows, sizeof(float)};
  for (const PlacedTensor* input : {&q, &k, &v}) {
    HK_RETURN_IF_ERROR(check_no_overlap(o, *input));
    HK_RETURN_IF_ERROR(check_no_overlap(lse, *input));
  }
  return check_no_overlap(lse, o);
}

Status check_pointers(const hk_attention_args& args, AttentionUse use) {
  if (use == AttentionUse::query || args.batch == 0 || args.seq_q == 0)
    return {};
  HK_RETURN_IF_ERROR(check_present("q", args.q.data));
  if (args.seq_k > 0) {
    HK_RETURN_IF_ERROR(check_present("k", args.k.data));
    HK_RETURN_IF_ERROR(check_present("v", args.v.data));
  }
  return use == AttentionUse::reference ? Status() : check_present("o", args.o.data);
}

AttentionTensor used_strides(const hk_tensor& tensor, std::int64_t batch, std::int64_t heads, std::int64_t rows) {
  if (batch == 0 || rows == 0)
    return {tensor.data, 0, 0, 0};
  return {tensor.data, batch > 1 ? tensor.stride_batch : 0, heads > 1 ? tensor.stride_head : 0,
          rows > 1 ? tensor.stride_row : 0};
}

// The largest power of two, up to 16, that divides every pointer that is there.
std::uint64_t common_alignment(const hk_attention_args& args, AttentionUse use) {
  constexpr std::uint64_t k_widest = 16;
  std::uint64_t bits = k_widest;
  if (use == AttentionUse::query && args.pointer_alignment != 0)
    bits |= args.pointer_alignment;
  for (const void* data : {args.q.data, args.k.data, args.v.data, args.o.data})
    bits |= reinterpret_cast<std::uintptr_t>(data);
  return bits & (~bits + 1);
}

} // namespace

std::int64_t AttentionProblem::visible_keys(std::int64_t row) const {
  switch (mask) {
  case AttentionMask::causal_bottom_right:
    return std::clamp<std::int64_t>(row + seq_k - seq_q + 1, 0, seq_k);
  case AttentionMask::causal_top_left:
    return std::min(row + 1, seq_k);
  case AttentionMask::none:
    break;
  }
  return seq_k;
}

Result<AttentionProblem> make_attention_problem(const hk_attention_args& args, AttentionUse use) {
  HK_RETURN_IF_ERROR(check_scalars(args));
  HK_RETURN_IF_ERROR(check_sizes(args, use));
  HK_RETURN_IF_ERROR(check_dtypes(args, use));
  HK_RETURN_IF_ERROR(check_pointers(args, use));
  const TensorShape keys{args.batch, args.heads_kv, args.seq_k, args.head_dim};
  HK_RETURN_IF_ERROR(check_tensor("q", args.q, {args.batch, args.heads_q, args.seq_q, args.head_dim}));
  HK_RETURN_IF_ERROR(check_tensor("k", args.k, keys));
  HK_RETURN_IF_ERROR(check_tensor("v", args.v, keys));
  if (use != AttentionUse::reference) {
    HK_RETURN_IF_ERROR(check_outputs(args, use));
    HK_RETURN_IF_ERROR(check_overlaps(args));
  }

  AttentionProblem problem;
  problem.element = static_cast<ElementType>(args.q.dtype);
  problem.mask = static_cast<AttentionMask>(args.mask);
  problem.scale =
      std::isnan(args.scale) ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(args.head_dim))) : args.scale;
  problem.batch = args.batch;
  problem.heads_q = args.heads_q;
  problem.heads_kv = args.heads_kv;
  problem.seq_q = args.seq_q;
  problem.seq_k = args.seq_k;
  problem.head_dim = args.head_dim;
  problem.q = used_strides(args.q, args.batch, args.heads_q, args.seq_q);
  problem.k = used_strides(args.k, args.batch, args.heads_kv, args.seq_k);
  problem.v = used_strides(args.v, args.batch, args.heads_kv, args.seq_k);
  problem.pointer_alignment = common_alignment(args, use);
  if (use == AttentionUse::reference)
    return problem;
  problem.o = used_strides(args.o, args.batch, args.heads_q, args.seq_q);
  // A kernel drops the rows of a tile that do not exist because their addresses lie behind the last row. With stride 0
  // they would lie on it.
  problem.o.stride_row = std::max(problem.o.stride_row, args.head_dim);
  problem.lse = args.lse;
  problem.write_lse = args.lse != nullptr || (use == AttentionUse::query && args.want_lse != 0);
  if (problem.write_lse && !problem.empty()) {
    problem.lse_stride_batch = args.batch > 1 ? args.lse_stride_batch : 0;
    problem.lse_stride_head = args.heads_q > 1 ? args.lse_stride_head : 0;
  }
  return problem;
}

} // namespace hk::ops
