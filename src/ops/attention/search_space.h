#pragma once
// What the tuner may choose from for a problem, and the names under which records know it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/attention/configuration.h"
#include "ops/attention/problem.h"

namespace hk::ops {

// "q128_kv64_w4": query rows, key rows and waves. Records name configurations, never positions in a list.
std::string configuration_name(const AttentionConfiguration& configuration);

// Nothing unless it is the name of a legal configuration of the problem's processor and head dimension.
std::optional<AttentionConfiguration> configuration_named(std::string_view name, const AttentionProblem& problem);

// Every legal configuration, the default first. Left out is what the largest problem of the same size classes
// (tuning_key.h) could not be launched with.
std::vector<AttentionConfiguration> attention_search_space(const AttentionProblem& problem);

} // namespace hk::ops
