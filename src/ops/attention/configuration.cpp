#include "ops/attention/configuration.h"

#include <array>

namespace hk::ops {
namespace {

// The table at the top of kernels/attention_forward.h; 32 query rows per wave.
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

// Places in both tables.
constexpr std::size_t k_long = 0;
constexpr std::size_t k_decode = 1;
constexpr std::size_t k_short = 2;

} // namespace

std::span<const AttentionConfiguration> attention_configurations(std::int64_t head_dim) {
  if (head_dim == 64)
    return k_head_dim_64;
  return k_head_dim_128;
}

AttentionConfiguration default_attention_configuration(const AttentionProblem& problem) {
  const std::span<const AttentionConfiguration> legal = attention_configurations(problem.head_dim);
  for (const std::size_t place : {k_decode, k_short}) {
    if (problem.seq_q <= legal[place].tile_q)
      return legal[place];
  }
  return legal[k_long];
}

} // namespace hk::ops
