#pragma once
// What a tuning decision holds for: a spec without its configuration, and of what the spec leaves open the size classes
// on which the best configuration depends. As numbers for the decision table, as text for records.

#include <cstdint>
#include <string>

#include "ops/attention/problem.h"
#include "ops/attention/spec.h"
#include "service/kernel_identity.h"

namespace hk::ops {

// The exponent of the smallest power of two that is at least n; 0 for n <= 1.
std::uint32_t size_bucket(std::int64_t n);

// The configuration of the spec is not looked at. Problems of equal specs whose batch * heads_q, and whose lengths
// where the spec has them at run time, fall into the same buckets have equal identities.
service::KernelIdentity tuning_identity(const AttentionSpec& spec, const AttentionProblem& problem);

// "attention_forward__bf16_d128_gqa4_q512_k512__bh64" or "attention_forward__bf16_d128_gqa4__bh64_q16_k4096": the spec,
// then the upper ends of the buckets. Equal exactly where the identities are.
std::string tuning_key(const AttentionSpec& spec, const AttentionProblem& problem);

} // namespace hk::ops
