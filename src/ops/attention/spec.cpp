#include "ops/attention/spec.h"

#include "ops/attention/search_space.h"

namespace hk::ops {
namespace {

constexpr std::int64_t k_vector_bytes = 16;
constexpr std::int64_t k_row_stride_limit = std::int64_t{1} << 24; // bytes

bool is_aligned(const AttentionTensor& tensor) {
  return tensor.stride_batch * k_element_bytes % k_vector_bytes == 0 &&
         tensor.stride_head * k_element_bytes % k_vector_bytes == 0 &&
         tensor.stride_row * k_element_bytes % k_vector_bytes == 0 &&
         tensor.stride_row * k_element_bytes < k_row_stride_limit;
}

const char* element_text(ElementType element) {
  return element == ElementType::bfloat16 ? "bf16" : "fp16";
}

const char* mask_text(AttentionMask mask) {
  switch (mask) {
  case AttentionMask::causal_bottom_right:
    return "_causal_br";
  case AttentionMask::causal_top_left:
    return "_causal_tl";
  case AttentionMask::none:
    break;
  }
  return "";
}

std::string if_fixed(const char* name, std::int32_t value) {
  return value == 0 ? std::string() : name + std::to_string(value);
}

std::uint64_t pack(std::int32_t high, std::int32_t low) {
  return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
}

} // namespace

bool is_aligned(const AttentionProblem& problem) {
  return problem.pointer_alignment % k_vector_bytes == 0 && is_aligned(problem.q) && is_aligned(problem.k) &&
         is_aligned(problem.v) && is_aligned(problem.o);
}

AttentionSpec family_attention_spec(const AttentionProblem& problem) {
  AttentionSpec spec;
  spec.element = problem.element;
  spec.mask = problem.mask;
  spec.write_lse = problem.write_lse;
  spec.aligned = is_aligned(problem);
  spec.head_dim = static_cast<std::int32_t>(problem.head_dim);
  spec.configuration = default_attention_configuration(problem);
  return spec;
}

AttentionSpec exact_attention_spec(const AttentionProblem& problem) {
  AttentionSpec spec = family_attention_spec(problem);
  spec.group_size = static_cast<std::int32_t>(problem.group_size());
  if (problem.seq_q > k_decode_rows) {
    spec.seq_q = static_cast<std::int32_t>(problem.seq_q);
    spec.seq_k = static_cast<std::int32_t>(problem.seq_k);
  }
  return spec;
}

std::size_t family_index(const AttentionSpec& spec) {
  std::size_t index = spec.element == ElementType::bfloat16 ? 0 : 1;
  index = index * 3 + static_cast<std::size_t>(spec.mask);
  index = index * 2 + (spec.write_lse ? 1 : 0);
  index = index * 2 + (spec.aligned ? 1 : 0);
  return index * 2 + (spec.head_dim == 128 ? 1 : 0);
}

std::string class_name_of(const AttentionSpec& spec) {
  return std::string("attention_forward__") + element_text(spec.element) + "_d" + std::to_string(spec.head_dim) +
         mask_text(spec.mask) + (spec.write_lse ? "_lse" : "") + (spec.aligned ? "" : "_unaligned") +
         if_fixed("_gqa", spec.group_size) + if_fixed("_q", spec.seq_q) + if_fixed("_k", spec.seq_k);
}

std::string symbol_of(const AttentionSpec& spec) {
  return class_name_of(spec) + "__" + configuration_name(spec.configuration);
}

service::KernelIdentity identity_of(const AttentionSpec& spec) {
  constexpr std::uint64_t k_operation = 1; // of the operations in src/ops, attention is the first
  service::KernelIdentity identity;
  identity.words[0] = k_operation << 32 | family_index(spec);
  identity.words[1] = pack(spec.seq_q, spec.seq_k);
  identity.words[2] = pack(spec.group_size, spec.configuration.waves);
  identity.words[3] = pack(spec.configuration.tile_q, spec.configuration.tile_kv);
  return identity;
}

service::KernelIdentity class_identity_of(const AttentionSpec& spec) {
  AttentionSpec without = spec;
  without.configuration = {};
  return identity_of(without);
}

} // namespace hk::ops
