#include "ops/attention/configuration.h"

#include <array>

namespace hk::ops {
namespace {

constexpr AttentionConfiguration k_long = {.waves = 4, .tile_q = 128, .tile_kv = 64};
constexpr AttentionConfiguration k_short = {.waves = 1, .tile_q = 32, .tile_kv = 64};
constexpr std::array k_configurations = {k_long, k_short};

} // namespace

std::span<const AttentionConfiguration> attention_configurations(std::int64_t) {
  return k_configurations;
}

AttentionConfiguration default_attention_configuration(const AttentionProblem& problem) {
  return problem.seq_q <= k_short.tile_q ? k_short : k_long;
}

} // namespace hk::ops
