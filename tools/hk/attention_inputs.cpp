#include "attention_inputs.h"

#include "normal_numbers.h"
#include "ops/element.h"

namespace hk::command {
namespace {

// Deviation of the logits of `peaked`; q of deviation 8 gives it, because the scale undoes the sum over head_dim.
constexpr double k_peaked_deviation = 8;
// Exact in both dtypes.
constexpr float k_constant_value = 0.75F;

std::vector<std::uint16_t> normal_tensor(const AttentionOptions& options, std::int64_t heads, std::int64_t rows,
                                         double deviation, std::uint64_t stream) {
  // Streams far apart in SplitMix64's one sequence.
  NormalNumbers numbers(options.seed * 4 + stream + (stream << 60));
  const auto type = static_cast<ops::ElementType>(options.dtype);
  std::vector<std::uint16_t> tensor(static_cast<std::size_t>(options.batch * heads * rows * options.head_dim));
  for (std::uint16_t& element : tensor)
    element = ops::float_to_element(type, static_cast<float>(deviation * numbers.next()));
  return tensor;
}

std::vector<std::uint16_t> value_tensor(const AttentionOptions& options) {
  const auto type = static_cast<ops::ElementType>(options.dtype);
  std::vector<std::uint16_t> tensor = normal_tensor(options, options.kv_heads, options.seq_k, 1, 3);
  if (options.input == InputKind::constant_v)
    tensor.assign(tensor.size(), ops::float_to_element(type, k_constant_value));
  if (options.input == InputKind::one_hot_v) {
    tensor.assign(tensor.size(), 0);
    for (std::int64_t row = 0; row < options.batch * options.kv_heads * options.seq_k; ++row)
      tensor[static_cast<std::size_t>(row * options.head_dim + row % options.seq_k % options.head_dim)] =
          ops::float_to_element(type, 1.0F);
  }
  return tensor;
}

hk_tensor dense(const AttentionOptions& options, void* data, std::int64_t heads, std::int64_t rows) {
  return {data, options.dtype, 0, heads * rows * options.head_dim, rows * options.head_dim, options.head_dim};
}

} // namespace

AttentionInputs make_inputs(const AttentionOptions& options) {
  const double deviation = options.input == InputKind::peaked ? k_peaked_deviation : 1;
  return {normal_tensor(options, options.heads, options.seq_q, deviation, 1),
          normal_tensor(options, options.kv_heads, options.seq_k, 1, 2), value_tensor(options)};
}

hk_attention_args make_args(const AttentionOptions& options, void* q, void* k, void* v, void* o) {
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  args.mask = options.mask;
  args.batch = options.batch;
  args.heads_q = options.heads;
  args.heads_kv = options.kv_heads;
  args.seq_q = options.seq_q;
  args.seq_k = options.seq_k;
  args.head_dim = options.head_dim;
  args.q = dense(options, q, options.heads, options.seq_q);
  args.k = dense(options, k, options.kv_heads, options.seq_k);
  args.v = dense(options, v, options.kv_heads, options.seq_k);
  args.o = dense(options, o, options.heads, options.seq_q);
  return args;
}

} // namespace hk::command
