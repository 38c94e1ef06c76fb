#include "ops/attention/configuration.h"

#include <array>
#include <string_view>

namespace hk::ops {
namespace {

// From the table at the top of kernels/attention_forward.h. The first of a list serves long sequences.
// 32 query rows per wave.
constexpr std::array<AttentionConfiguration, 6> k_amd_64 = {{
    {.waves = 4, .tile_q = 128, .tile_kv = 64},
    {.waves = 1, .tile_q = 32, .tile_kv = 64},
    {.waves = 2, .tile_q = 64, .tile_kv = 64},
    {.waves = 1, .tile_q = 32, .tile_kv = 32},
    {.waves = 4, .tile_q = 128, .tile_kv = 128},
    {.waves = 8, .tile_q = 256, .tile_kv = 128},
}};
constexpr std::array<AttentionConfiguration, 4> k_amd_128 = {{
    {.waves = 4, .tile_q = 128, .tile_kv = 64},
    {.waves = 1, .tile_q = 32, .tile_kv = 32},
    {.waves = 2, .tile_q = 64, .tile_kv = 64},
    {.waves = 8, .tile_q = 256, .tile_kv = 64},
}};
// sm80: those that spill nothing.
constexpr std::array<AttentionConfiguration, 5> k_sm80_64 = {{
    {.waves = 4, .tile_q = 128, .tile_kv = 64},
    {.waves = 1, .tile_q = 32, .tile_kv = 64},
    {.waves = 2, .tile_q = 64, .tile_kv = 64},
    {.waves = 1, .tile_q = 32, .tile_kv = 32},
    {.waves = 8, .tile_q = 256, .tile_kv = 64},
}};
constexpr std::array<AttentionConfiguration, 3> k_sm80_128 = {{
    {.waves = 4, .tile_q = 128, .tile_kv = 32},
    {.waves = 1, .tile_q = 32, .tile_kv = 32},
    {.waves = 2, .tile_q = 64, .tile_kv = 32},
}};

struct Legal {
  std::string_view sources; // as Processor::sources
  std::span<const AttentionConfiguration> head_dim_64;
  std::span<const AttentionConfiguration> head_dim_128;
};
constexpr std::array<Legal, 3> k_legal = {{
    {"gfx942", k_amd_64, k_amd_128},
    {"gfx950", k_amd_64, k_amd_128},
    {"sm80", k_sm80_64, k_sm80_128},
}};

} // namespace

std::span<const AttentionConfiguration> attention_configurations(const codeobj::Processor& processor,
                                                                 std::int64_t head_dim) {
  for (const Legal& legal : k_legal)
    if (legal.sources == processor.sources)
      return head_dim == 64 ? legal.head_dim_64 : legal.head_dim_128;
  return {};
}

AttentionConfiguration default_attention_configuration(const AttentionProblem& problem) {
  const std::span<const AttentionConfiguration> legal = attention_configurations(*problem.processor, problem.head_dim);
  AttentionConfiguration chosen = legal.front();
  for (const AttentionConfiguration& candidate : legal) {
    if (problem.seq_q <= candidate.tile_q && candidate.tile_q < chosen.tile_q)
      chosen = candidate;
  }
  return chosen;
}

} // namespace hk::ops
