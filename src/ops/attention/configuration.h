#pragma once
// AttentionConfiguration: the tunable numbers of kernels/attention_forward.h, which of them are legal, and which one is
// taken when nothing was measured.

#include <cstdint>
#include <span>

#include "ops/attention/problem.h"

namespace hk::ops {

struct AttentionConfiguration {
  std::int32_t waves = 0;   // per workgroup
  std::int32_t tile_q = 0;  // query rows per workgroup
  std::int32_t tile_kv = 0; // key rows per step

  bool operator==(const AttentionConfiguration&) const = default;
};

// All of them compile without scratch or spills for the processor (a test proves it). head_dim: 64 or 128.
std::span<const AttentionConfiguration> attention_configurations(const codeobj::Processor& processor,
                                                                 std::int64_t head_dim);

// The smallest tile that holds all query rows: a larger one would be mostly padding, and in decode many small
// workgroups share the machine better. Otherwise the first, whose waves share each key tile.
AttentionConfiguration default_attention_configuration(const AttentionProblem& problem);

} // namespace hk::ops
