#include "ops/attention/launch.h"

#include <limits>
#include <string>

namespace hk::ops {
Result<device::LaunchShape> attention_launch_shape(const AttentionProblem& problem,
                                                   const AttentionConfiguration& configuration) {
  const std::int64_t tiles = (problem.seq_q + configuration.tile_q - 1) / configuration.tile_q;
  const std::int64_t workgroup_size = std::int64_t{problem.processor->wave_size} * configuration.waves;
  std::int64_t workgroups = 0;
  std::int64_t work_items = 0;
  if (__builtin_mul_overflow(problem.batch, problem.heads_q, &workgroups) ||
      __builtin_mul_overflow(workgroups, tiles, &workgroups) ||
      __builtin_mul_overflow(workgroups, workgroup_size, &work_items) ||
      work_items > std::numeric_limits<std::uint32_t>::max())
    return fail(StatusCode::unsupported, "batch * heads_q * seq_q is too large for one launch (" +
                                             std::to_string(problem.batch) + " * " + std::to_string(problem.heads_q) +
                                             " * " + std::to_string(problem.seq_q) +
                                             "): split the batch into several calls");
  return device::LaunchShape{static_cast<std::uint32_t>(workgroups), static_cast<std::uint32_t>(workgroup_size)};
}

AttentionForwardArguments attention_arguments(const AttentionProblem& problem) {
  constexpr double k_log2_e = 1.4426950408889634;
  constexpr std::int64_t k_lse_bytes = sizeof(float);
  AttentionForwardArguments arguments{};
  arguments.q = problem.q.data;
  arguments.k = problem.k.data;
  arguments.v = problem.v.data;
  arguments.o = problem.o.data;
  arguments.lse = problem.lse;
  arguments.q_stride_batch = problem.q.stride_batch * k_element_bytes;
  arguments.q_stride_head = problem.q.stride_head * k_element_bytes;
  arguments.q_stride_row = problem.q.stride_row * k_element_bytes;
  arguments.k_stride_batch = problem.k.stride_batch * k_element_bytes;
  arguments.k_stride_head = problem.k.stride_head * k_element_bytes;
  arguments.k_stride_row = problem.k.stride_row * k_element_bytes;
  arguments.v_stride_batch = problem.v.stride_batch * k_element_bytes;
  arguments.v_stride_head = problem.v.stride_head * k_element_bytes;
  arguments.v_stride_row = problem.v.stride_row * k_element_bytes;
  arguments.o_stride_batch = problem.o.stride_batch * k_element_bytes;
  arguments.o_stride_head = problem.o.stride_head * k_element_bytes;
  arguments.o_stride_row = problem.o.stride_row * k_element_bytes;
  arguments.lse_stride_batch = problem.lse_stride_batch * k_lse_bytes;
  arguments.lse_stride_head = problem.lse_stride_head * k_lse_bytes;
  arguments.batch = static_cast<std::int32_t>(problem.batch);
  arguments.heads_q = static_cast<std::int32_t>(problem.heads_q);
  arguments.heads_kv = static_cast<std::int32_t>(problem.heads_kv);
  arguments.seq_q = static_cast<std::int32_t>(problem.seq_q);
  arguments.seq_k = static_cast<std::int32_t>(problem.seq_k);
  arguments.group_size = static_cast<std::int32_t>(problem.group_size());
  arguments.scale_log2e = static_cast<float>(static_cast<double>(problem.scale) * k_log2_e);
  return arguments;
}

} // namespace hk::ops
