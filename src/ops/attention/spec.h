#pragma once
// AttentionSpec: what is fixed when an attention kernel is compiled. Everything else of a problem (pointers, batch,
// heads, strides, scale) is a run-time argument.

#include <cstdint>
#include <string>

#include "ops/attention/configuration.h"
#include "ops/attention/problem.h"
#include "service/kernel_identity.h"

namespace hk::ops {

struct AttentionSpec {
  ElementType element = ElementType::bfloat16;
  AttentionMask mask = AttentionMask::none;
  bool write_lse = false;
  bool aligned = false;        // see is_aligned
  std::int32_t head_dim = 0;   // 64 or 128
  std::int32_t group_size = 0; // heads_q / heads_kv; 0 = run-time
  std::int32_t seq_q = 0;      // 0 = run-time
  std::int32_t seq_k = 0;      // 0 = run-time
  AttentionConfiguration configuration;

  bool operator==(const AttentionSpec&) const = default;
};

// Up to this many query rows (decode, speculative decode) lengths change with every call and stay run-time arguments.
inline constexpr std::int64_t k_decode_rows = 16;

// Whether the 16-byte paths may be used: every pointer and stride of q, k, v and o is a multiple of 16 bytes, and rows
// are less than 2^24 bytes apart (the kernel keeps tile-local offsets in 32 bits).
bool is_aligned(const AttentionProblem& problem);

// For exactly this head ratio and, beyond k_decode_rows, these lengths.
AttentionSpec exact_attention_spec(const AttentionProblem& problem);
// For every head ratio and length.
AttentionSpec family_attention_spec(const AttentionProblem& problem);

// Families: specs that differ neither in element, mask, outputs, alignment nor head dimension.
inline constexpr std::size_t k_attention_families = std::size_t{2} * 3 * 2 * 2 * 2;
std::size_t family_index(const AttentionSpec& spec); // below k_attention_families

// "attention_forward__bf16_d128_causal_br_lse_gqa4_q512_k512": says everything but the configuration.
std::string class_name_of(const AttentionSpec& spec);

// "attention_forward__bf16_d128_causal_br_lse_gqa4_q512_k512__q128_kv64_w4": says everything that the spec says.
std::string symbol_of(const AttentionSpec& spec);

service::KernelIdentity identity_of(const AttentionSpec& spec);
// The same for all configurations of a spec, and never that of a kernel.
service::KernelIdentity class_identity_of(const AttentionSpec& spec);

} // namespace hk::ops
