#include "ops/attention/tuning_key.h"

#include <bit>

namespace hk::ops {
namespace {

struct Buckets {
  std::uint32_t work = 0; // of batch * heads_q
  std::uint32_t seq_q = 0;
  std::uint32_t seq_k = 0;
};

Buckets buckets_of(const AttentionSpec& spec, const AttentionProblem& problem) {
  // Sizes are at most 2^30, so the product fits.
  return {size_bucket(problem.batch * problem.heads_q), spec.seq_q == 0 ? size_bucket(problem.seq_q) : 0,
          spec.seq_q == 0 ? size_bucket(problem.seq_k) : 0};
}

std::string upper_end(std::uint32_t bucket) {
  return std::to_string(std::uint64_t{1} << bucket);
}

} // namespace

std::uint32_t size_bucket(std::int64_t n) {
  return n <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(n) - 1));
}

service::KernelIdentity tuning_identity(const AttentionSpec& spec, const AttentionProblem& problem) {
  service::KernelIdentity identity = class_identity_of(spec);
  const Buckets buckets = buckets_of(spec, problem);
  identity.words[3] = std::uint64_t{1} << 63 | std::uint64_t{buckets.work} << 16 | buckets.seq_q << 8 | buckets.seq_k;
  return identity;
}

std::string tuning_key(const AttentionSpec& spec, const AttentionProblem& problem) {
  const Buckets buckets = buckets_of(spec, problem);
  std::string key = class_name_of(spec) + "__bh" + upper_end(buckets.work);
  if (spec.seq_q == 0)
    key += "_q" + upper_end(buckets.seq_q) + "_k" + upper_end(buckets.seq_k);
  return key;
}

} // namespace hk::ops
