#include "problem_arguments.h"

#include <map>
#include <string>

namespace hk::command {

void add_attention_problem(CLI::App& command, AttentionOptions& options) {
  static const std::map<std::string, hk_dtype> k_dtypes = {{"bf16", HK_DTYPE_BFLOAT16}, {"fp16", HK_DTYPE_FLOAT16}};
  static const std::map<std::string, hk_mask> k_masks = {
      {"none", HK_MASK_NONE}, {"causal", HK_MASK_CAUSAL_BOTTOM_RIGHT}, {"causal-top-left", HK_MASK_CAUSAL_TOP_LEFT}};
  command.add_option("--device", options.device, "hip:N, cuda:N, sim:mi300x, sim:mi325x, sim:mi355x or null");
  add_number(command, "--batch", options.batch, "Problems of the same size");
  add_number(command, "--heads", options.heads, "Query heads");
  add_number(command, "--kv-heads", options.kv_heads, "Key/value heads");
  add_number(command, "--seq-q", options.seq_q, "Query rows");
  add_number(command, "--seq-k", options.seq_k, "Key rows");
  add_number(command, "--head-dim", options.head_dim, "64 or 128");
  add_choice(command, "--dtype", options.dtype, k_dtypes, "bf16 or fp16")->default_str("bf16");
  add_choice(command, "--mask", options.mask, k_masks, "none, causal (bottom-right) or causal-top-left")
      ->default_str("none");
}

} // namespace hk::command
