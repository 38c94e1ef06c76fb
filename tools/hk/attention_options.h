#pragma once
// What `hk run attention` was asked to do.

#include <cstdint>
#include <string>

#include "hk/hk.h"

namespace hk::command {

enum class InputKind {
  randn,      // every element normal with mean 0 and deviation 1
  peaked,     // logits with deviation 8: a few keys dominate each row
  constant_v, // randn, but every value is the same number: the output must be that number
  one_hot_v,  // randn, but value row j is 1 in column j modulo head_dim and 0 elsewhere: the output shows the
              // probabilities
};

struct AttentionOptions {
  std::string device; // empty: HK_DEVICE, else hip:0
  std::int64_t batch = 1;
  std::int64_t heads = 32;
  std::int64_t kv_heads = 8;
  std::int64_t seq_q = 512;
  std::int64_t seq_k = 512;
  std::int64_t head_dim = 128;
  hk_dtype dtype = HK_DTYPE_BFLOAT16;
  hk_mask mask = HK_MASK_NONE;
  InputKind input = InputKind::randn;
  std::uint64_t seed = 0;
  int calls = 1;      // the figures are those of the last one
  bool check = false; // against hk_attention_reference
  bool json = false;  // one line, the last of stdout
};

} // namespace hk::command
