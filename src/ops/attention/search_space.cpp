#include "ops/attention/search_space.h"

#include <span>

#include "ops/attention/launch.h"
#include "ops/attention/tuning_key.h"

namespace hk::ops {

std::string configuration_name(const AttentionConfiguration& configuration) {
  return "q" + std::to_string(configuration.tile_q) + "_kv" + std::to_string(configuration.tile_kv) + "_w" +
         std::to_string(configuration.waves);
}

std::optional<AttentionConfiguration> configuration_named(std::string_view name, const AttentionProblem& problem) {
  for (const AttentionConfiguration& configuration : attention_configurations(*problem.processor, problem.head_dim)) {
    if (configuration_name(configuration) == name)
      return configuration;
  }
  return std::nullopt;
}

std::vector<AttentionConfiguration> attention_search_space(const AttentionProblem& problem) {
  AttentionProblem largest = problem;
  largest.heads_q = 1;
  largest.batch = std::int64_t{1} << size_bucket(problem.batch * problem.heads_q);
  largest.seq_q = std::int64_t{1} << size_bucket(problem.seq_q);
  std::vector<AttentionConfiguration> space = {default_attention_configuration(problem)};
  for (const AttentionConfiguration& configuration : attention_configurations(*problem.processor, problem.head_dim)) {
    if (configuration != space.front() && attention_launch_shape(largest, configuration))
      space.push_back(configuration);
  }
  return space;
}

} // namespace hk::ops
