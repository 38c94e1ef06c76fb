#include "ops/attention/configuration.h"

#include <array>

namespace hk::ops {
namespace {

// From the table at the top of kernels/attention_forward.h; 32 query rows per wave. The first serves long sequences.
constexpr std::array<AttentionConfiguration, 6> k_head_dim_64 = {{
    {.waves = 4, .tile_q = 128, .tile_kv = 64},
    {.waves = 1, .tile_q = 32, .tile_kv = 64},
    {.waves = 2, .tile_q = 64, .tile_kv = 64},
    {.waves = 1, .tile_q = 32, .tile_kv = 32},
    {.waves = 4, .tile_q = 128, .tile_kv = 128},
    {.waves = 8, .tile_q = 256, .tile_kv = 128},
}};
constexpr std::array<AttentionConfiguration, 4> k_head_dim_128 = {{
    {.waves = 4, .tile_q = 128, .tile_kv = 64},
    {.waves = 1, .tile_q = 32, .tile_kv = 32},
    {.waves = 2, .tile_q = 64, .tile_kv = 64},
    {.waves = 8, .tile_q = 256, .tile_kv = 64},
}};

} // namespace

std::span<const AttentionConfiguration> attention_configurations(std::int64_t head_dim) {
  if (head_dim == 64)
    return k_head_dim_64;
  return k_head_dim_128;
}

AttentionConfiguration default_attention_configuration(const AttentionProblem& problem) {
  const std::span<const AttentionConfiguration> legal = attention_configurations(problem.head_dim);
  AttentionConfiguration chosen = legal.front();
  for (const AttentionConfiguration& candidate : legal) {
    if (problem.seq_q <= candidate.tile_q && candidate.tile_q < chosen.tile_q)
      chosen = candidate;
  }
  return chosen;
}

} // namespace hk::ops
